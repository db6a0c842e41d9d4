import { describe, expect, test } from 'vitest'
import { ORIGIN, OTHER_ORIGIN, setTestPassword } from '../../../test/accounts.ts'
import { ANN, BEN, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { sendAllMail } from '../../../test/mail.ts'
import { signInDelay } from './sign-in-attempts.ts'

const CREDENTIALS = { email: ANN.email, password: 'correct horse' }
const WRONG = { ...CREDENTIALS, password: 'wrong' }
const addressOf = (nth: number) => ({ address: `192.0.2.${nth}`, language: 'en' })

async function withAnn() {
  const base = await createTestCrm()
  await setTestPassword(base, ANN.email, CREDENTIALS.password)
  /** Fails to sign in from this many network addresses, and waits as long as each has to. */
  async function failFrom(count: number, email = ANN.email): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      base.clock.advance(signInDelay(nth))
      expect(await base.crm.accounts.signIn({ ...WRONG, email }, addressOf(nth))).toBeUndefined()
    }
  }
  return { ...base, failFrom }
}

function rateLimitError(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

test.each([
  [0, 0],
  [9, 0],
  [10, 1],
  [11, 2],
  [15, 32],
  [19, 512],
  [20, 900],
  [5000, 900],
])('after %i attempts the next waits %i seconds', (attempts, seconds) => {
  expect(signInDelay(attempts)).toBe(seconds)
})

describe('attempts to sign in to an account from many network addresses', () => {
  test('wait from the tenth failure on, and a refused one does not make the wait longer', async () => {
    const { crm, clock, failFrom } = await withAnn()
    await failFrom(13)
    for (let nth = 0; nth < 50; nth += 1)
      expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, addressOf(100 + nth)))).toEqual(
        rateLimitError(8),
      )
    clock.advance(7.5)
    expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, OTHER_ORIGIN))).toEqual(rateLimitError(1))
    clock.advance(0.5)
    expect(await crm.accounts.signIn(CREDENTIALS, OTHER_ORIGIN)).toBeDefined()
  })

  test('are delayed in the same way for an unknown account', async () => {
    const { crm, failFrom } = await withAnn()
    await failFrom(13, 'nobody@acme.example')
    const attempt = crm.accounts.signIn({ ...WRONG, email: 'nobody@acme.example' }, ORIGIN)
    expect(await catchRejection(attempt)).toEqual(rateLimitError(8))
    expect(await sendAllMail(crm)).toEqual([])
  })

  test('delay neither another account nor an address from which the user signed in', async () => {
    const { crm, failFrom } = await withAnn()
    expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
    await failFrom(30)
    expect(await crm.accounts.signIn({ ...WRONG, email: BEN.email }, OTHER_ORIGIN)).toBeUndefined()
    expect(await crm.accounts.signIn(CREDENTIALS, ORIGIN)).toBeDefined()
    expect(await catchRejection(crm.accounts.signIn(CREDENTIALS, OTHER_ORIGIN))).toEqual(rateLimitError(900))
  })

  test('are mailed to the user once', async () => {
    const { crm, failFrom } = await withAnn()
    await failFrom(9)
    expect(await sendAllMail(crm)).toEqual([])
    await failFrom(1)
    expect(await sendAllMail(crm)).toEqual([
      { kind: 'sign_in_attempts', to: ANN.email, language: 'en', name: ANN.name, address: '192.0.2.0' },
    ])
  })

  test('that are concurrent all count', async () => {
    const { crm } = await withAnn()
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        crm.accounts.signIn(WRONG, addressOf(nth)).catch(() => 'refused'),
      ),
    )
    expect(attempts.filter((outcome) => outcome === 'refused')).toHaveLength(10)
  })

  test('are forgotten a day after the last, and wait no longer after the clock was set back', async () => {
    const { crm, clock, failFrom } = await withAnn()
    await failFrom(14)
    clock.advance(-3600)
    expect(await catchRejection(crm.accounts.signIn(WRONG, ORIGIN))).toEqual(rateLimitError(16))
    clock.advance(3600 + 86_400)
    await failFrom(10)
  })
})
