import { describe, expect, test } from 'vitest'
import { ORIGIN, OTHER_ORIGIN, runTwenty, setTestPassword, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  passwords,
  secrets,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import type { Ports } from '../../ports/index.ts'

const CREDENTIALS = { email: ANN.email, password: 'correct horse' }

async function withAnn(overrides: Partial<Ports> = {}) {
  const base = await createTestCrm(overrides)
  await setTestPassword(base, ANN.email, CREDENTIALS.password)
  return base
}

function rateLimitError(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

describe('sign-in', () => {
  test('opens a session of fourteen days and stores only the hash of its token', async () => {
    const { crm, storage, ann } = await withAnn()
    const session = (await crm.accounts.signIn(
      { email: ' ANN@acme.example ', password: 'correct horse' },
      ORIGIN,
    ))!
    expect(session).toEqual({
      token: expect.stringMatching(/^crm_ses_[0-9a-f]{96}$/),
      expires_at: '2026-03-15T12:00:00.000Z',
    })
    const sessions = await storage.read((tx) => tx.sessions.find([]))
    expect(sessions).toEqual([
      {
        id: sessions[0]?.id,
        user_id: ann.userId,
        token_hash: secrets.hash(session.token),
        expires_at: session.expires_at,
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
    ])
    expect(await crm.accounts.userSession(session.token)).toEqual({
      session_id: sessions[0]?.id,
      user: { id: ann.userId, name: ANN.name, email: ANN.email },
    })
  })

  test.each([
    ['a wrong password', { ...CREDENTIALS, password: 'correct horsf' }],
    ['an unknown e-mail address', { ...CREDENTIALS, email: 'nobody@acme.example' }],
    ['an account without a password', { ...CREDENTIALS, email: BEN.email }],
    ['an account without a password and the decoy password', { email: BEN.email, password: 'decoy' }],
    ['an unknown e-mail address and the decoy password', { email: 'nobody@acme.example', password: 'decoy' }],
    ['an invalid e-mail address', { ...CREDENTIALS, email: 'ann' }],
    ['an e-mail address with a null character', { ...CREDENTIALS, email: 'ann\0@acme.example' }],
    ['an e-mail address with a lone surrogate', { ...CREDENTIALS, email: '\ud800' }],
    ['a password that is too long', { ...CREDENTIALS, password: 'x'.repeat(201) }],
  ])('with %s returns undefined', async (_, input) => {
    const { crm, storage } = await withAnn()
    expect(await crm.accounts.signIn(input, ORIGIN)).toBeUndefined()
    expect(await storage.read((tx) => tx.sessions.find([]))).toEqual([])
  })

  test.each([
    [ANN.email, ['hash of correct horse']],
    [BEN.email, ['hash of decoy']],
    ['nobody@acme.example', ['hash of decoy']],
    ['ann', ['hash of decoy']],
  ])('verifies exactly one hash for %s', async (email, expected) => {
    const hashes: string[] = []
    const verify = async (_: string, hash: string) => hashes.push(hash) < 0
    const { crm } = await withAnn({ passwords: { ...passwords, verify } })
    await crm.accounts.signIn({ email, password: 'wrong' }, ORIGIN)
    expect(hashes).toEqual(expected)
  })

  test('never hashes a password that is too long', async () => {
    const { crm } = await withAnn({
      passwords: {
        ...passwords,
        hash: async () => 'decoy',
        verify: async () => {
          throw new Error('Hashed.')
        },
      },
    })
    expect(
      await crm.accounts.signIn({ ...CREDENTIALS, password: 'x'.repeat(1_000_000) }, ORIGIN),
    ).toBeUndefined()
  })

  test('creates the decoy hash in the next attempt if hashing failed', async () => {
    let isFailing = true
    const hash = async (password: string) => {
      if (isFailing) throw new Error('No memory.')
      return `hash of ${password}`
    }
    const { crm } = await withAnn({
      passwords: { ...passwords, hash },
    })
    await expect(crm.accounts.signIn(CREDENTIALS, ORIGIN)).rejects.toThrow('No memory.')
    isFailing = false
    expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
  })

  test('requires both fields and rejects others', async () => {
    const { crm } = await withAnn()
    expect(await catchFieldErrors(crm.accounts.signIn({}, ORIGIN))).toEqual({
      email: 'Required.',
      password: 'Required.',
    })
    expect(
      await catchFieldErrors(crm.accounts.signIn({ email: '', password: ['x', 'y'], next: '/' }, ORIGIN)),
    ).toEqual({
      email: 'Required.',
      password: 'Must be a string.',
      next: 'Unknown field.',
    })
    expect(await catchFieldErrors(crm.accounts.signIn('x', ORIGIN))).toEqual({ body: 'Must be an object.' })
  })

  test('opens no session if the password is changed concurrently', async () => {
    const base = await withAnn()
    const verify = async () => {
      await setTestPassword(base, ANN.email, 'another')
      return true
    }
    const racingCrm = createCrm({ ...base.ports, passwords: { ...passwords, verify } })
    expect(await racingCrm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeUndefined()
    expect(await base.crm.accounts.signIn({ ...CREDENTIALS, password: 'another' }, ORIGIN)).toBeDefined()
  })
})

describe('sign-in attempts', () => {
  test('are limited to five in 15 minutes for an account and address, whatever the password', async () => {
    const { crm, clock } = await withAnn()
    const wrongPassword = { ...CREDENTIALS, password: 'wrong' }
    for (let nth = 0; nth < 5; nth += 1)
      expect(await crm.accounts.signIn(wrongPassword, ORIGIN)).toBeUndefined()
    clock.advance(0.5)
    expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, ORIGIN))).toEqual(rateLimitError(900))
    expect(
      await catchRejection(crm.accounts.signIn({ ...CREDENTIALS, email: 'Ann@ACME.example' }, ORIGIN)),
    ).toEqual(rateLimitError(900))
    expect(await crm.accounts.signIn(CREDENTIALS, OTHER_ORIGIN)).toBeDefined()
    expect(await crm.accounts.signIn({ ...CREDENTIALS, email: BEN.email }, ORIGIN)).toBeUndefined()
    clock.advance(899)
    expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, ORIGIN))).toEqual(rateLimitError(1))
    clock.advance(0.5)
    expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
  })

  test('are counted before the password is verified, also for an unknown account', async () => {
    let verifications = 0
    const verify = async () => ++verifications < 0
    const { crm } = await withAnn({ passwords: { ...passwords, hash: async () => 'decoy', verify } })
    const attempts = runTwenty(() =>
      crm.accounts.signIn({ ...CREDENTIALS, email: 'nobody@acme.example' }, ORIGIN).catch(() => 'refused'),
    )
    expect((await attempts).filter((outcome) => outcome === 'refused')).toHaveLength(15)
    expect(verifications).toBe(5)
  })

  test('that succeed reset the limit of the account', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 20; nth += 1) expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
  })

  test('are limited to a hundred in 15 minutes from one address, whatever the account', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 100; nth += 1)
      await crm.accounts.signIn(
        { ...CREDENTIALS, email: nth % 2 ? 'no e-mail' : `x${nth}@y.example` },
        ORIGIN,
      )
    expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, ORIGIN))).toEqual(rateLimitError(900))
    expect(await crm.accounts.signIn(CREDENTIALS, OTHER_ORIGIN)).toBeDefined()
  })

  test('that succeed do not count against a shared address', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 101; nth += 1)
      expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
    expect(await crm.accounts.signIn({ ...CREDENTIALS, password: 'wrong' }, ORIGIN)).toBeUndefined()
  })

  test('that succeed do not uncount failed ones', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 100; nth += 1) {
      if (nth % 10 === 0) expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
      expect(
        await crm.accounts.signIn({ ...CREDENTIALS, email: `x${nth}@y.example` }, ORIGIN),
      ).toBeUndefined()
    }
    for (const credentials of [CREDENTIALS, { ...CREDENTIALS, email: 'new@y.example' }])
      expect(await catchRejection(crm.accounts.signIn(credentials, ORIGIN))).toEqual(rateLimitError(900))
  })
})

describe('a session', () => {
  test('expires after fourteen days regardless of use', async () => {
    const base = await createTestCrm()
    const { token, userSession } = await signInTestUser(base, ANN.email)
    base.clock.advance(14 * 86_400 - 0.001)
    expect(await base.crm.accounts.userSession(token)).toEqual(userSession)
    base.clock.advance(0.001)
    expect(await base.crm.accounts.userSession(token)).toBeUndefined()
  })

  test('is found only by its exact token', async () => {
    const base = await createTestCrm()
    const { token } = await signInTestUser(base, ANN.email)
    const unknownToken = `crm_ses_${UNKNOWN_ID.replaceAll('-', '')}${token.slice(-64)}`
    const last = token.at(-1) === '0' ? '1' : '0'
    const texts = [
      '',
      'x',
      token.toUpperCase(),
      `${token} `,
      token.slice(0, -1),
      `${token.slice(0, -1)}${last}`,
      unknownToken,
      `${token}\0`,
    ]
    for (const text of [undefined, ...texts])
      expect(await base.crm.accounts.userSession(text)).toBeUndefined()
  })

  test('can be ended twice and leaves other sessions open', async () => {
    const base = await createTestCrm()
    const [session, otherSession] = [
      await signInTestUser(base, ANN.email),
      await signInTestUser(base, ANN.email),
    ]
    await base.crm.accounts.signOut(session.userSession)
    await base.crm.accounts.signOut(session.userSession)
    expect(await base.crm.accounts.userSession(session.token)).toBeUndefined()
    expect(await base.crm.accounts.userSession(otherSession.token)).toEqual(otherSession.userSession)
  })
})
