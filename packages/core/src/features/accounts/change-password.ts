import { validate } from '../../engine/validate.ts'
import { addSeconds, DAY, type Instant, MINUTE } from '../../kernel/instant.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { User } from '../../schema/user.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { enforcePersistentRateLimit } from '../rate-limits/persistent-rate-limit.ts'
import type { UserSession } from './account.ts'
import { checkNewPassword } from './new-password.ts'
import { deleteLinks } from './one-time-links.ts'
import { deleteSessions } from './sessions.ts'
import { nonEmptyText, password } from './user.ts'
import type { VerifyPassword } from './verify-password.ts'

const changeInput = object({ current_password: nonEmptyText, new_password: password })

/** @throws CrmError `validation_error`, `rate_limit_exceeded` */
export async function changePassword(
  ports: Ports,
  verifyPassword: VerifyPassword,
  userSession: UserSession,
  input: unknown,
  origin: RequestOrigin,
): Promise<boolean> {
  const { storage, now, passwords } = ports
  const { id } = userSession.user
  const fields = validate(changeInput, input)
  await enforcePersistentRateLimit(ports, { key: `password:${id}`, limit: 5, seconds: 15 * MINUTE })
  const hash = (await storage.read((tx) => tx.users.get(id)))?.password_hash ?? null
  if (!(await verifyPassword(fields.current_password, hash))) return false
  await checkNewPassword(passwords, 'new_password', fields.new_password, userSession.user.email)
  const password_hash = await passwords.hash(fields.new_password)
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(id)
    // A concurrent change has replaced the password that was verified.
    if (user?.password_hash !== hash) return false
    const at = now()
    await setPassword(tx, { ...user, password_hash, updated_at: at }, userSession.session_id)
    await mailPasswordChanged(tx, ports, user, origin, at)
    return true
  })
}

/**
 * Updates the password of a user who is locked for update. Deletes the user's sessions, except one to keep,
 * and password reset links.
 */
export async function setPassword(tx: Transaction, user: User, keptSessionId?: string): Promise<void> {
  await tx.users.update(user)
  await deleteSessions(tx, user.id, user.updated_at, keptSessionId)
  await deleteLinks(tx, { purpose: 'password_reset', subject_id: user.id })
}

export async function mailPasswordChanged(
  tx: Transaction,
  ports: Ports,
  { email, name }: User,
  origin: RequestOrigin,
  at: Instant,
): Promise<void> {
  const mail = {
    kind: 'password_changed',
    to: email,
    language: origin.language,
    name,
    address: origin.address,
  } as const
  await enqueueMail(tx, ports, mail, { at, expires_at: addSeconds(at, DAY) })
}
