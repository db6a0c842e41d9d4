import { describe, expect, test } from 'vitest'
import { ORIGIN, OTHER_ORIGIN, runTwenty, setTestPassword, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  secrets,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import type { Ports } from '../../ports/index.ts'

const ANNS = { email: ANN.email, password: 'correct horse' }

async function withAnn(special: Partial<Ports> = {}) {
  const base = await createTestCrm(special)
  await setTestPassword(base, ANN.email, ANNS.password)
  return base
}

function waiting(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

describe('signing in', () => {
  test('opens a session of fourteen days, of which only a hash is kept', async () => {
    const { crm, storage, ann } = await withAnn()
    const made = (await crm.accounts.signIn(
      { email: ' ANN@acme.example ', password: 'correct horse' },
      ORIGIN,
    ))!
    expect(made).toEqual({
      token: expect.stringMatching(/^crm_ses_[0-9a-f]{96}$/),
      expires_at: '2026-03-15T12:00:00.000Z',
    })
    const sessions = await storage.read((tx) => tx.sessions.find([]))
    expect(sessions).toEqual([
      {
        id: sessions[0]?.id,
        user_id: ann.userId,
        token_hash: secrets.hash(made.token),
        expires_at: made.expires_at,
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
    ])
    expect(await crm.accounts.visitor(made.token)).toEqual({
      session_id: sessions[0]?.id,
      user: { id: ann.userId, name: ANN.name, email: ANN.email },
    })
  })

  test.each([
    ['a wrong password', { ...ANNS, password: 'correct horsf' }],
    ['an unknown e-mail', { ...ANNS, email: 'nobody@acme.example' }],
    ['an account without a password', { ...ANNS, email: BEN.email }],
    ['an account without a password, and the password of the decoy', { email: BEN.email, password: 'decoy' }],
    ['an unknown e-mail, and the password of the decoy', { email: 'nobody@acme.example', password: 'decoy' }],
    ['a text that is no e-mail', { ...ANNS, email: 'ann' }],
    ['an e-mail with what no database keeps', { ...ANNS, email: 'ann\0@acme.example' }],
    ['an e-mail with half a character', { ...ANNS, email: '\ud800' }],
    ['a password that is too long', { ...ANNS, password: 'x'.repeat(201) }],
  ])('with %s gets nothing, and no reason', async (_, input) => {
    const { crm, storage } = await withAnn()
    expect(await crm.accounts.signIn(input, ORIGIN)).toBeUndefined()
    expect(await storage.read((tx) => tx.sessions.find([]))).toEqual([])
  })

  test.each([
    [ANN.email, ['hash of correct horse']],
    [BEN.email, ['hash of decoy']],
    ['nobody@acme.example', ['hash of decoy']],
    ['ann', ['hash of decoy']],
  ])('takes one look at a hash, whoever %s is', async (email, looks) => {
    const verified: string[] = []
    const verify = async (_: string, hash: string) => verified.push(hash) < 0
    const { crm } = await withAnn({ passwords: { hash: async (password) => `hash of ${password}`, verify } })
    await crm.accounts.signIn({ email, password: 'wrong' }, ORIGIN)
    expect(verified).toEqual(looks)
  })

  test('never hashes what is too long', async () => {
    const { crm } = await withAnn({
      passwords: {
        hash: async () => 'decoy',
        verify: async () => {
          throw new Error('Hashed.')
        },
      },
    })
    expect(await crm.accounts.signIn({ ...ANNS, password: 'x'.repeat(1_000_000) }, ORIGIN)).toBeUndefined()
  })

  test('a decoy that could not be made is made by the next try', async () => {
    let failing = true
    const hash = async (password: string) => {
      if (failing) throw new Error('No memory.')
      return `hash of ${password}`
    }
    const { crm } = await withAnn({
      passwords: { hash, verify: async (password, of) => of === `hash of ${password}` },
    })
    await expect(crm.accounts.signIn(ANNS, ORIGIN)).rejects.toThrow('No memory.')
    failing = false
    expect(await crm.accounts.signIn(ANNS, ORIGIN)).toBeDefined()
  })

  test('needs both fields, and no others', async () => {
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

  test('with a password that is changed in the same moment opens no session', async () => {
    const base = await withAnn()
    const verify = async () => {
      await setTestPassword(base, ANN.email, 'another')
      return true
    }
    const racing = createCrm({ ...base.ports, passwords: { hash: base.ports.passwords.hash, verify } })
    expect(await racing.accounts.signIn(ANNS, ORIGIN)).toBeUndefined()
    expect(await base.crm.accounts.signIn({ ...ANNS, password: 'another' }, ORIGIN)).toBeDefined()
  })
})

describe('tries to sign in', () => {
  test('are five for an account from an address in a quarter of an hour, the right password or not', async () => {
    const { crm, clock } = await withAnn()
    const wrong = { ...ANNS, password: 'wrong' }
    for (let nth = 0; nth < 5; nth += 1) expect(await crm.accounts.signIn(wrong, ORIGIN)).toBeUndefined()
    clock.advance(0.5)
    expect(await catchRejection(crm.accounts.signIn(ANNS, ORIGIN))).toEqual(waiting(900))
    expect(await catchRejection(crm.accounts.signIn({ ...ANNS, email: 'Ann@ACME.example' }, ORIGIN))).toEqual(
      waiting(900),
    )
    expect(await crm.accounts.signIn(ANNS, OTHER_ORIGIN)).toBeDefined()
    expect(await crm.accounts.signIn({ ...ANNS, email: BEN.email }, ORIGIN)).toBeUndefined()
    clock.advance(899)
    expect(await catchRejection(crm.accounts.signIn(ANNS, ORIGIN))).toEqual(waiting(1))
    clock.advance(0.5)
    expect(await crm.accounts.signIn(ANNS, ORIGIN)).toBeDefined()
  })

  test('are counted before the work for them is done, for an account that is not there too', async () => {
    let looks = 0
    const verify = async () => ++looks < 0
    const { crm } = await withAnn({ passwords: { hash: async () => 'decoy', verify } })
    const tries = runTwenty(() =>
      crm.accounts.signIn({ ...ANNS, email: 'nobody@acme.example' }, ORIGIN).catch(() => 'refused'),
    )
    expect((await tries).filter((outcome) => outcome === 'refused')).toHaveLength(15)
    expect(looks).toBe(5)
  })

  test('that succeed close the window', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 20; nth += 1) expect(await crm.accounts.signIn(ANNS, ORIGIN)).toBeDefined()
  })

  test('are a hundred from one address, whoever they are for', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 100; nth += 1)
      await crm.accounts.signIn({ ...ANNS, email: nth % 2 ? 'no e-mail' : `x${nth}@y.example` }, ORIGIN)
    expect(await catchRejection(crm.accounts.signIn(ANNS, ORIGIN))).toEqual(waiting(900))
    expect(await crm.accounts.signIn(ANNS, OTHER_ORIGIN)).toBeDefined()
  })

  test('that succeed use up nothing of an address that many share', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 101; nth += 1) expect(await crm.accounts.signIn(ANNS, ORIGIN)).toBeDefined()
    expect(await crm.accounts.signIn({ ...ANNS, password: 'wrong' }, ORIGIN)).toBeUndefined()
  })

  test('that succeed give nothing back of those that failed', async () => {
    const { crm } = await withAnn()
    for (let nth = 0; nth < 100; nth += 1) {
      if (nth % 10 === 0) expect(await crm.accounts.signIn(ANNS, ORIGIN)).toBeDefined()
      expect(await crm.accounts.signIn({ ...ANNS, email: `x${nth}@y.example` }, ORIGIN)).toBeUndefined()
    }
    for (const each of [ANNS, { ...ANNS, email: 'new@y.example' }])
      expect(await catchRejection(crm.accounts.signIn(each, ORIGIN))).toEqual(waiting(900))
  })
})

describe('a session', () => {
  test('is over after fourteen days, however much it is used', async () => {
    const base = await createTestCrm()
    const { token, visitor } = await signInTestUser(base, ANN.email)
    base.clock.advance(14 * 86_400 - 0.001)
    expect(await base.crm.accounts.visitor(token)).toEqual(visitor)
    base.clock.advance(0.001)
    expect(await base.crm.accounts.visitor(token)).toBeUndefined()
  })

  test('is not had for a text that is not its token', async () => {
    const base = await createTestCrm()
    const { token } = await signInTestUser(base, ANN.email)
    const nobodys = `crm_ses_${UNKNOWN_ID.replaceAll('-', '')}${token.slice(-64)}`
    const last = token.at(-1) === '0' ? '1' : '0'
    const texts = [
      '',
      'x',
      token.toUpperCase(),
      `${token} `,
      token.slice(0, -1),
      `${token.slice(0, -1)}${last}`,
      nobodys,
      `${token}\0`,
    ]
    for (const text of [undefined, ...texts]) expect(await base.crm.accounts.visitor(text)).toBeUndefined()
  })

  test('ends alone, and twice', async () => {
    const base = await createTestCrm()
    const [one, other] = [await signInTestUser(base, ANN.email), await signInTestUser(base, ANN.email)]
    await base.crm.accounts.signOut(one.visitor)
    await base.crm.accounts.signOut(one.visitor)
    expect(await base.crm.accounts.visitor(one.token)).toBeUndefined()
    expect(await base.crm.accounts.visitor(other.token)).toEqual(other.visitor)
  })
})
