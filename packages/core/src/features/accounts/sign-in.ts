import * as v from 'valibot'
import { email, object } from '../../engine/field-schemas.ts'
import { validate } from '../../engine/validate.ts'
import { MINUTE } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import {
  enforcePersistentRateLimit,
  resetPersistentRateLimit,
  uncountPersistentRateLimit,
} from '../rate-limits/persistent-rate-limit.ts'
import type { SessionToken } from './account.ts'
import { openSession } from './sessions.ts'
import { enteredText } from './user.ts'
import type { VerifyPassword } from './verify-password.ts'

const signInInput = object({ email: enteredText, password: enteredText })

const WINDOW_SECONDS = 15 * MINUTE

/** Every try counts before any work is done for it, and one that succeeds is taken back. @throws CrmError `validation_error`, `rate_limit_exceeded` */
export async function signIn(
  ports: Ports,
  verifyPassword: VerifyPassword,
  input: unknown,
  origin: RequestOrigin,
): Promise<SessionToken | undefined> {
  const { storage, now } = ports
  const parsed = validate(signInInput, input)
  const addressLimit = { key: `sign-in:${origin.address}`, limit: 100, seconds: WINDOW_SECONDS }
  await enforcePersistentRateLimit(ports, addressLimit)
  const address = normalizeEmail(parsed.email)
  const accountLimit = { key: `sign-in:${address}:${origin.address}`, limit: 5, seconds: WINDOW_SECONDS }
  if (address !== undefined) await enforcePersistentRateLimit(ports, accountLimit)

  const [user] =
    address === undefined ? [] : await storage.read((tx) => tx.users.find([{ field: 'email', is: address }]))
  const hash = user?.password_hash ?? null
  const isCorrect = await verifyPassword(parsed.password, hash)
  if (!user || !isCorrect) return undefined

  const session = await storage.transact(async (tx) => {
    const locked = await tx.users.getForShare(user.id)
    // The password was changed since, and with that all sessions before were ended.
    if (locked?.password_hash !== hash) return undefined
    return openSession(tx, ports, user.id, now())
  })
  if (session) {
    await uncountPersistentRateLimit(ports, addressLimit)
    await resetPersistentRateLimit(ports, accountLimit)
  }
  return session
}

/** As addresses are kept. What has not the form of one is nobody's. */
function normalizeEmail(text: string): string | undefined {
  const { success, output } = v.safeParse(email, text)
  return success ? output.toLowerCase() : undefined
}
