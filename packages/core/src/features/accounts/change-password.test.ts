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
const CHANGED = {
  kind: 'password_changed',
  to: ANN.email,
  language: 'pt-BR',
  name: ANN.name,
  address: '203.0.113.7',
}

async function withAnn() {
  const base = await createTestCrm()
  const { visitor, token } = await signInTestUser(base, ANN.email)
  const opens = async (password: string) =>
    (await base.crm.accounts.signIn({ email: ANN.email, password }, OTHER_ORIGIN)) !== undefined
  return { ...base, accounts: base.crm.accounts, visitor, token, opens }
}

function waiting(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

describe('changing a password', () => {
  test('ends the other sessions of the user, and says so by mail', async () => {
    const base = await withAnn()
    const { accounts, visitor, token, opens } = base
    const [other, bens] = [await signInTestUser(base, ANN.email), await signInTestUser(base, BEN.email)]
    expect(await accounts.changePassword(visitor, CHANGE, ORIGIN)).toBe(true)
    expect(await sendAllMail(base.crm)).toEqual([CHANGED])
    expect(await accounts.visitor(token)).toEqual(visitor)
    expect(await accounts.visitor(other.token)).toBeUndefined()
    expect(await accounts.visitor(bens.token)).toEqual(bens.visitor)
    expect([await opens('correct horse'), await opens('battery staple')]).toEqual([false, true])
  })

  test('needs the present one', async () => {
    const base = await withAnn()
    const { accounts, visitor, opens } = base
    expect(await accounts.changePassword(visitor, { ...CHANGE, current_password: 'wrong' }, ORIGIN)).toBe(
      false,
    )
    expect(await opens('correct horse')).toBe(true)
    expect(await sendAllMail(base.crm)).toEqual([])
  })

  test('reports every bad field', async () => {
    const { accounts, visitor } = await withAnn()
    expect(await catchFieldErrors(accounts.changePassword(visitor, {}, ORIGIN))).toEqual({
      current_password: 'Required.',
      new_password: 'Required.',
    })
    const bad = { current_password: '', new_password: 'seven77', name: 'x' }
    expect(await catchFieldErrors(accounts.changePassword(visitor, bad, ORIGIN))).toEqual({
      current_password: 'Required.',
      new_password: 'Must be between 8 and 200 characters.',
      name: 'Unknown field.',
    })
    expect(
      await catchFieldErrors(
        accounts.changePassword(visitor, { ...CHANGE, new_password: 'x'.repeat(201) }, ORIGIN),
      ),
    ).toEqual({
      new_password: 'Must be between 8 and 200 characters.',
    })
  })

  test('is tried five times in a quarter of an hour', async () => {
    const { accounts, visitor, clock } = await withAnn()
    for (let nth = 0; nth < 5; nth += 1)
      await accounts.changePassword(visitor, { ...CHANGE, current_password: 'wrong' }, ORIGIN)
    expect(await catchRejection(accounts.changePassword(visitor, CHANGE, OTHER_ORIGIN))).toEqual(waiting(900))
    clock.advance(900)
    expect(await accounts.changePassword(visitor, CHANGE, ORIGIN)).toBe(true)
  })

  test('at once with other changes happens once', async () => {
    const base = await withAnn()
    const outcomes = await runTwenty(() =>
      base.accounts.changePassword(base.visitor, CHANGE, ORIGIN).catch(() => 'refused'),
    )
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1)
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('makes a link that was mailed before worthless', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)
    const link = await readMailedToken(base)
    await base.accounts.changePassword(base.visitor, CHANGE, ORIGIN)
    expect(await base.accounts.findUserByResetLink(link)).toBeUndefined()
  })
})

describe('asking for a new password', () => {
  test('mails a link, of which only a hash is kept', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: 'Ann@Acme.example' }, ORIGIN)
    const letters = await sendAllMail(base.crm)
    expect(letters).toEqual([
      {
        kind: 'password_reset',
        to: ANN.email,
        language: 'pt-BR',
        name: ANN.name,
        link: expect.stringMatching(/^https:\/\/crm\.example\/password\/reset\/crm_ln_[0-9a-f]{96}$/),
        address: '203.0.113.7',
      },
    ])
    const token = (letters[0] as { link: string }).link.split('/').at(-1)!
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

  test('for an address that is nobody’s mails nothing, and leaves as much behind', async () => {
    const base = await withAnn()
    expect(await base.accounts.requestPasswordReset({ email: 'nobody@acme.example' }, ORIGIN)).toBeUndefined()
    const kept = await base.storage.read(async (tx) => [
      await tx.one_time_links.find([]),
      await tx.queued_mail.find([]),
    ])
    expect(kept.map(({ length }) => length)).toEqual([1, 1])
    expect(await sendAllMail(base.crm)).toEqual([])
  })

  test('needs an e-mail address', async () => {
    const { accounts } = await withAnn()
    expect(await catchFieldErrors(accounts.requestPasswordReset({}, ORIGIN))).toEqual({ email: 'Required.' })
    expect(await catchFieldErrors(accounts.requestPasswordReset({ email: 'ann' }, ORIGIN))).toEqual({
      email: 'Must be an e-mail address.',
    })
  })

  test('again makes the link before worthless, and asks at once leave one', async () => {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)
    const first = await readMailedToken(base)
    await base.accounts.requestPasswordReset({ email: BEN.email }, ORIGIN)
    expect(await base.accounts.findUserByResetLink(first)).toEqual({ email: ANN.email })
    await Promise.all([1, 2].map(() => base.accounts.requestPasswordReset({ email: ANN.email }, ORIGIN)))
    expect(await base.accounts.findUserByResetLink(first)).toBeUndefined()
    expect(
      await base.storage.read((tx) => tx.one_time_links.find([{ field: 'subject_id', is: base.ann.userId }])),
    ).toHaveLength(1)
  })

  test.each([ANN.email, 'nobody@acme.example'])('is done three times an hour for %s', async (email) => {
    const { accounts, clock } = await withAnn()
    for (let nth = 0; nth < 3; nth += 1) await accounts.requestPasswordReset({ email }, ORIGIN)
    expect(
      await catchRejection(accounts.requestPasswordReset({ email: email.toUpperCase() }, OTHER_ORIGIN)),
    ).toEqual(waiting(3600))
    clock.advance(3600)
    await accounts.requestPasswordReset({ email }, ORIGIN)
  })

  test('is done twenty times an hour from one address', async () => {
    const { accounts } = await withAnn()
    for (let nth = 0; nth < 20; nth += 1)
      await accounts.requestPasswordReset({ email: `x${nth}@y.example` }, ORIGIN)
    expect(await catchRejection(accounts.requestPasswordReset({ email: ANN.email }, ORIGIN))).toEqual(
      waiting(3600),
    )
    await accounts.requestPasswordReset({ email: ANN.email }, OTHER_ORIGIN)
  })
})

describe('a link for a new password', () => {
  const NEW = { new_password: 'battery staple' }

  async function withLink(email = ANN.email) {
    const base = await withAnn()
    await base.accounts.requestPasswordReset({ email }, ORIGIN)
    return { ...base, link: await readMailedToken(base) }
  }

  test('sets one, ends all sessions and opens a new one', async () => {
    const base = await withLink()
    const { accounts, link, token, ann, opens } = base
    const made = (await accounts.resetPassword(link, NEW, ORIGIN))!
    expect(made).toEqual({
      token: expect.stringMatching(/^crm_ses_/),
      expires_at: '2026-03-15T12:00:00.000Z',
    })
    expect((await accounts.visitor(made.token))?.user.id).toBe(ann.userId)
    expect(await accounts.visitor(token)).toBeUndefined()
    expect(await sendAllMail(base.crm)).toEqual([CHANGED])
    expect([await opens('correct horse'), await opens('battery staple')]).toEqual([false, true])
  })

  test('gives a first password to someone who has none', async () => {
    const { accounts, link } = await withLink(BEN.email)
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeDefined()
    expect(await accounts.signIn({ email: BEN.email, password: NEW.new_password }, ORIGIN)).toBeDefined()
  })

  test('is good once, and once only for twenty at the same time', async () => {
    const base = await withLink()
    const outcomes = await runTwenty(() => base.accounts.resetPassword(base.link, NEW, ORIGIN))
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    expect(await base.storage.read((tx) => tx.sessions.find([]))).toHaveLength(1)
    expect(await base.accounts.findUserByResetLink(base.link)).toBeUndefined()
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('is good for half an hour', async () => {
    const { accounts, link, clock } = await withLink()
    clock.advance(1799.999)
    expect(await accounts.findUserByResetLink(link)).toEqual({ email: ANN.email })
    clock.advance(0.001)
    expect(await accounts.findUserByResetLink(link)).toBeUndefined()
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeUndefined()
  })

  test('stays good after a password that is refused', async () => {
    const { accounts, link } = await withLink()
    expect(await catchFieldErrors(accounts.resetPassword(link, { new_password: 'short' }, ORIGIN))).toEqual({
      new_password: 'Must be between 8 and 200 characters.',
    })
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeDefined()
  })

  test('that was made up, or is for something else, is good for nothing', async () => {
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
      const [kept] = await one_time_links.find([])
      await one_time_links.update({ ...kept!, purpose: 'credentials' })
    })
    expect(await accounts.findUserByResetLink(link)).toBeUndefined()
    expect(await accounts.resetPassword(link, NEW, ORIGIN)).toBeUndefined()
  })
})
