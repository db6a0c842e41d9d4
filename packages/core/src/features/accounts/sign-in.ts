import * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { MINUTE } from '../../kernel/instant.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import {
  enforcePersistentRateLimit,
  resetPersistentRateLimit,
  uncountPersistentRateLimit,
} from '../rate-limits/persistent-rate-limit.ts'
import type { SessionToken } from './account.ts'
import { openSession } from './sessions.ts'
import { countSignInAttempt } from './sign-in-attempts.ts'
import { nonEmptyText } from './user.ts'
import type { VerifyPassword } from './verify-password.ts'

const signInInput = object({ email: nonEmptyText, password: nonEmptyText })

const WINDOW_SECONDS = 15 * MINUTE

/**
 * Counts every attempt before doing any work for it. Uncounts a successful one.
 * @throws CrmError `validation_error`, `rate_limit_exceeded`
 */
export async function signIn(
  ports: Ports,
  verifyPassword: VerifyPassword,
  input: unknown,
  origin: RequestOrigin,
): Promise<SessionToken | undefined> {
  const { storage, now } = ports
  const fields = validate(signInInput, input)
  const addressLimit = { key: `sign-in:${origin.address}`, limit: 100, seconds: WINDOW_SECONDS }
  await enforcePersistentRateLimit(ports, addressLimit)
  const address = normalizeEmail(fields.email)
  const accountLimit = { key: `sign-in:${address}:${origin.address}`, limit: 5, seconds: WINDOW_SECONDS }
  if (address !== undefined) await enforcePersistentRateLimit(ports, accountLimit)
  const attempt = address === undefined ? undefined : await countSignInAttempt(ports, address, origin)

  const [user] =
    address === undefined ? [] : await storage.read((tx) => tx.users.find([{ field: 'email', is: address }]))
  const hash = user?.password_hash ?? null
  const isCorrect = await verifyPassword(fields.password, hash)
  if (!user || !isCorrect) return undefined

  const session = await storage.transact(async (tx) => {
    const lockedUser = await tx.users.getForShare(user.id)
    // The password was changed meanwhile, which ended all sessions: the old password must not open one.
    if (lockedUser?.password_hash !== hash) return undefined
    return openSession(tx, ports, user.id, now())
  })
  if (session) {
    await uncountPersistentRateLimit(ports, addressLimit)
    await resetPersistentRateLimit(ports, accountLimit)
    await attempt?.succeed()
  }
  return session
}

/** Returns the address as users store it. Returns undefined for an invalid one. */
function normalizeEmail(text: string): string | undefined {
  const { success, output } = v.safeParse(knownEmail, text)
  return success ? output.toLowerCase() : undefined
}
