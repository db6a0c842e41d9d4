import { describe, expect, test } from 'vitest'
import { ORIGIN, OTHER_ORIGIN, readMailedToken, runTwenty, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  secrets,
} from '../../../test/harness.ts'
import { sendAllMail } from '../../../test/mail.ts'

const CHANGE = { current_password: 'correct horse', new_password: 'battery staple' }
const CHANGED_MAIL = {
  kind: 'password_changed',
  to: ANN.email,
  language: 'pt-BR',
  name: ANN.name,
  address: '203.0.113.7',
}

async function withAnn() {
  const base = await createTestCrm()
  const { userSession, token } = await signInTestUser(base, ANN.email)
  const canSignIn = async (password: string) =>
    (await base.crm.accounts.signIn({ email: ANN.email, password }, OTHER_ORIGIN)) !== undefined
  return { ...base, accounts: base.crm.accounts, userSession, token, canSignIn }
}

function rateLimitError(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

describe('a password change', () => {
  test('ends the other sessions of the user and mails a notification', async () => {
    const base = await withAnn()
    const { accounts, userSession, token, canSignIn } = base
    const [otherSession, benSession] = [
      await signInTestUser(base, ANN.email),
      await signInTestUser(base, BEN.email),
    ]
    expect(await accounts.changePassword(userSession, CHANGE, ORIGIN)).toBe(true)
    expect(await sendAllMail(base.crm)).toEqual([CHANGED_MAIL])
    expect(await accounts.userSession(token)).toEqual(userSession)
    expect(await accounts.userSession(otherSession.token)).toBeUndefined()
    expect(await accounts.userSession(benSession.token)).toEqual(benSession.userSession)
    expect([await canSignIn('correct horse'), await canSignIn('battery staple')]).toEqual([false, true])
  })

  test('requires the current password', async () => {
    const base = await withAnn()
    const { accounts, userSession, canSignIn } = base
    expect(await accounts.changePassword(userSession, { ...CHANGE, current_password: 'wrong' }, ORIGIN)).toBe(
      false,
    )
    expect(await canSignIn('correct horse')).toBe(true)
    expect(await sendAllMail(base.crm)).toEqual([])
  })

  test('reports every invalid field', async () => {
    const { accounts, userSession } = await withAnn()
    expect(await catchFieldErrors(accounts.changePassword(userSession, {}, ORIGIN))).toEqual({
      current_password: 'Required.',
      new_password: 'Required.',
    })
    const invalidInput = { current_password: '', new_password: 'seven77', name: 'x' }
    expect(await catchFieldErrors(accounts.changePassword(userSession, invalidInput, ORIGIN))).toEqual({
      current_password: 'Required.',
      new_password: 'Must be between 8 and 200 characters.',
      name: 'Unknown field.',
    })
    expect(
      await catchFieldErrors(
        accounts.changePassword(userSession, { ...CHANGE, new_password: 'x'.repeat(201) }, ORIGIN),
      ),
    ).toEqual({
      new_password: 'Must be between 8 and 200 characters.',
    })
    expect(
      await catchFieldErrors(
        accounts.changePassword(userSession, { ...CHANGE, new_password: 'password1' }, ORIGIN),
      ),
    ).toEqual({ new_password: 'Must not be one of the most common passwords.' })
  })

  test('is limited to five attempts in 15 minutes', async () => {
    const { accounts, userSession, clock } = await withAnn()
    for (let nth = 0; nth < 5; nth += 1)
      await accounts.changePassword(userSession, { ...CHANGE, current_password: 'wrong' }, ORIGIN)
    expect(await catchRejection(accounts.changePassword(userSession, CHANGE, OTHER_ORIGIN))).toEqual(
      rateLimitError(900),
    )
    clock.advance(900)
    expect(await accounts.changePassword(userSession, CHANGE, ORIGIN)).toBe(true)
  })

  test('succeeds once for twenty concurrent attempts', async () => {
    const base = await withAnn()
    const outcomes = await runTwenty(() =>
      base.accounts.changePassword(base.userSession, CHANGE, ORIGIN).catch(() => 'refused'),
    )
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1)
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('invalidates a reset link that was mailed before', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)
    const link = await readMailedToken(base)
    await base.accounts.changePassword(base.userSession, CHANGE, ORIGIN)
    expect(await base.accounts.findUserByResetLink(link)).toBeUndefined()
  })
})

describe('a password reset request', () => {
  test('mails a link and stores only its hash', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: 'Ann@Acme.example' }, ORIGIN)
    const mails = await sendAllMail(base.crm)
    expect(mails).toEqual([
      {
        kind: 'password_reset',
        to: ANN.email,
        language: 'pt-BR',
        name: ANN.name,
        link: expect.stringMatching(/^https:\/\/crm\.example\/password\/reset\/crm_ln_[0-9a-f]{96}$/),
        address: '203.0.113.7',
      },
    ])
    const token = (mails[0] as { link: string }).link.split('/').at(-1)!
    const links = await base.storage.read((tx) => tx.one_time_links.find([]))
    expect(links).toEqual([
      {
        id: links[0]?.id,
        purpose: 'password_reset',
        subject_id: base.ann.userId,
        token_hash: secrets.hash(token),
        expires_at: '2026-03-01T12:30:00.000Z',
        created_at: NOON,
        updated_at: NOON,
      },
    ])
    expect(await base.accounts.findUserByResetLink(token)).toEqual({ email: ANN.email })
  })

  test('for an unknown address mails nothing but stores as many rows', async () => {
    const base = await withAnn()
    expect(await base.accounts.requestPasswordReset({ email: 'nobody@acme.example' }, ORIGIN)).toBeUndefined()
    const rows = await base.storage.read(async (tx) => [
      await tx.one_time_links.find([]),
      await tx.queued_mail.find([]),
    ])
    expect(rows.map(({ length }) => length)).toEqual([1, 1])
    expect(await sendAllMail(base.crm)).toEqual([])
  })

  test('requires an e-mail address', async () => {
    const { accounts } = await withAnn()
    expect(await catchFieldErrors(accounts.requestPasswordReset({}, ORIGIN))).toEqual({ email: 'Required.' })
    expect(await catchFieldErrors(accounts.requestPasswordReset({ email: 'ann' }, ORIGIN))).toEqual({
      email: 'Must be an e-mail address.',
    })
  })

  test('invalidates the previous link, and concurrent requests leave one', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)
    const firstLink = await readMailedToken(base)
    await base.accounts.requestPasswordReset({ email: BEN.email }, ORIGIN)
    expect(await base.accounts.findUserByResetLink(firstLink)).toEqual({ email: ANN.email })
    await Promise.all([1, 2].map(() => base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)))
    expect(await base.accounts.findUserByResetLink(firstLink)).toBeUndefined()
    expect(
      await base.storage.read((tx) => tx.one_time_links.find([{ field: 'subject_id', is: base.ann.userId }])),
    ).toHaveLength(1)
  })

  test.each([ANN.email, 'nobody@acme.example'])('is limited to three per hour for %s', async (email) => {
    const { accounts, clock } = await withAnn()
    for (let nth = 0; nth < 3; nth += 1) await accounts.requestPasswordReset({ email }, ORIGIN)
    expect(
      await catchRejection(accounts.requestPasswordReset({ email: email.toUpperCase() }, OTHER_ORIGIN)),
    ).toEqual(rateLimitError(3600))
    clock.advance(3600)
    await accounts.requestPasswordReset({ email }, ORIGIN)
  })

  test('is limited to twenty per hour from one network address', async () => {
    const { accounts } = await withAnn()
    for (let nth = 0; nth < 20; nth += 1)
      await accounts.requestPasswordReset({ email: `x${nth}@y.example` }, ORIGIN)
    expect(await catchRejection(accounts.requestPasswordReset({ email: ANN.email }, ORIGIN))).toEqual(
      rateLimitError(3600),
    )
    await accounts.requestPasswordReset({ email: ANN.email }, OTHER_ORIGIN)
  })
})

describe('a password reset link', () => {
  const NEW = { new_password: 'battery staple' }

  async function withLink(email = ANN.email) {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email }, ORIGIN)
    return { ...base, link: await readMailedToken(base) }
  }

  test('sets the password, ends all sessions and opens a new one', async () => {
    const base = await withLink()
    const { accounts, link, token, ann, canSignIn } = base
    const session = (await accounts.resetPassword(link, NEW, ORIGIN))!
    expect(session).toEqual({
      token: expect.stringMatching(/^crm_ses_/),
      expires_at: '2026-03-15T12:00:00.000Z',
    })
    expect((await accounts.userSession(session.token))?.user.id).toBe(ann.userId)
    expect(await accounts.userSession(token)).toBeUndefined()
    expect(await sendAllMail(base.crm)).toEqual([CHANGED_MAIL])
    expect([await canSignIn('correct horse'), await canSignIn('battery staple')]).toEqual([false, true])
  })

  test('sets the first password of a user without one', async () => {
    const { accounts, link } = await withLink(BEN.email)
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeDefined()
    expect(await accounts.signIn({ email: BEN.email, password: NEW.new_password }, ORIGIN)).toBeDefined()
  })

  test('works once, also for twenty concurrent uses', async () => {
    const base = await withLink()
    const outcomes = await runTwenty(() => base.accounts.resetPassword(base.link, NEW, ORIGIN))
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    expect(await base.storage.read((tx) => tx.sessions.find([]))).toHaveLength(1)
    expect(await base.accounts.findUserByResetLink(base.link)).toBeUndefined()
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('expires after half an hour', async () => {
    const { accounts, link, clock } = await withLink()
    clock.advance(1799.999)
    expect(await accounts.findUserByResetLink(link)).toEqual({ email: ANN.email })
    clock.advance(0.001)
    expect(await accounts.findUserByResetLink(link)).toBeUndefined()
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeUndefined()
  })

  test('stays valid after an invalid password', async () => {
    const { accounts, link } = await withLink()
    expect(await catchFieldErrors(accounts.resetPassword(link, { new_password: 'short' }, ORIGIN))).toEqual({
      new_password: 'Must be between 8 and 200 characters.',
    })
    expect(await catchFieldErrors(accounts.resetPassword(link, { new_password: ANN.email }, ORIGIN))).toEqual(
      {
        new_password: 'Must not be made of the e-mail address.',
      },
    )
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeDefined()
  })

  test('is rejected if it is forged or for another purpose', async () => {
    const { accounts, storage, link } = await withLink()
    const last = link.at(-1) === '0' ? '1' : '0'
    for (const text of [
      '',
      'x',
      `${link.slice(0, -1)}${last}`,
      `${link}\0`,
      link.replace('crm_ln_', 'crm_ses_'),
    ]) {
      expect(await accounts.findUserByResetLink(text)).toBeUndefined()
      expect(await accounts.resetPassword(text, NEW, ORIGIN)).toBeUndefined()
    }
    await storage.transact(async ({ one_time_links }) => {
      const [row] = await one_time_links.find([])
      await one_time_links.update({ ...row!, purpose: 'credentials' })
    })
    expect(await accounts.findUserByResetLink(link)).toBeUndefined()
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeUndefined()
  })
})
