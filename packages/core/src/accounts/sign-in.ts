import * as v from 'valibot'
import { MINUTE } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { forgetLasting, holdToLasting, uncountLasting } from '../limits/count-lasting.ts'
import type { Ports } from '../ports.ts'
import { email, object } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import type { SignedIn } from './account.ts'
import type { PasswordCheck } from './password-check.ts'
import { openSession } from './sessions.ts'
import { typed } from './user.ts'

const signInInput = object({ email: typed, password: typed })

const WINDOW_SECONDS = 15 * MINUTE

/** Every try counts before any work is done for it, and one that succeeds is taken back. @throws CrmError `validation_error`, `rate_limit_exceeded` */
export async function signIn(ports: Ports, isPassword: PasswordCheck, input: unknown, from: From): Promise<SignedIn | undefined> {
  const { storage, now } = ports
  const asked = validate(signInInput, input)
  const ofAddress = { key: `sign-in:${from.address}`, limit: 100, seconds: WINDOW_SECONDS }
  await holdToLasting(ports, ofAddress)
  const address = addressIn(asked.email)
  const tries = { key: `sign-in:${address}:${from.address}`, limit: 5, seconds: WINDOW_SECONDS }
  if (address !== undefined) await holdToLasting(ports, tries)

  const [user] = address === undefined ? [] : await storage.read((tx) => tx.users.find([{ field: 'email', is: address }]))
  const hash = user?.password_hash ?? null
  const right = await isPassword(asked.password, hash)
  if (!user || !right) return undefined

  const signedIn = await storage.transact(async (tx) => {
    const held = await tx.users.getForShare(user.id)
    // The password was changed since, and with that all sessions before were ended.
    if (held?.password_hash !== hash) return undefined
    return openSession(tx, ports, user.id, now())
  })
  if (signedIn) {
    await uncountLasting(ports, ofAddress)
    await forgetLasting(ports, tries)
  }
  return signedIn
}

/** As addresses are kept. What has not the form of one is nobody's. */
function addressIn(text: string): string | undefined {
  const { success, output } = v.safeParse(email, text)
  return success ? output.toLowerCase() : undefined
}
