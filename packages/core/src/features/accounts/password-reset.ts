import { validate } from '../../engine/validate.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { addSeconds, HOUR, MINUTE } from '../../kernel/instant.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { OneTimeLink } from '../../schema/one-time-link.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { enforcePersistentRateLimit } from '../rate-limits/persistent-rate-limit.ts'
import type { SessionToken } from './account.ts'
import { mailPasswordChanged, setPassword } from './change-password.ts'
import { checkNewPassword } from './new-password.ts'
import { createLink, findValidLink } from './one-time-links.ts'
import { openSession } from './sessions.ts'
import { password } from './user.ts'

const requestInput = object({ email: knownEmail })
const resetInput = object({ new_password: password })

const LINK_LIFETIME_SECONDS = 30 * MINUTE

/**
 * Does the same work for an unknown address, so that the response time does not reveal which addresses have
 * an account: it stores a link for a random id and queues an empty mail.
 * @throws CrmError `validation_error`, `rate_limit_exceeded`
 */
export async function requestPasswordReset(
  ports: Ports,
  input: unknown,
  origin: RequestOrigin,
): Promise<void> {
  const { storage, issuer, now, newId } = ports
  const address = validate(requestInput, input).email.toLowerCase()
  await enforcePersistentRateLimit(ports, { key: `reset:${origin.address}`, limit: 20, seconds: HOUR })
  await enforcePersistentRateLimit(ports, { key: `reset:${address}`, limit: 3, seconds: HOUR })
  await storage.transact(async (tx) => {
    const [user] = await tx.users.find([{ field: 'email', is: address }])
    const subject_id = user?.id ?? newId()
    // Locked even for an unknown address, to do the same work.
    await tx.users.getForUpdate(subject_id)
    const at = now()
    const lifetime = { at, expires_at: addSeconds(at, LINK_LIFETIME_SECONDS) }
    const token = await createLink(tx, ports, { purpose: 'password_reset', subject_id }, lifetime)
    const mail = user && {
      kind: 'password_reset' as const,
      to: user.email,
      language: origin.language,
      name: user.name,
      link: `${issuer}/password/reset/${token}`,
      address: origin.address,
    }
    await enqueueMail(tx, ports, mail, lifetime)
  })
}

export async function findUserByResetLink(
  ports: Ports,
  token: string,
): Promise<{ readonly email: string } | undefined> {
  return ports.storage.read(async (tx) => {
    const link = await findResetLink(tx, ports, token)
    const user = link && (await tx.users.get(link.subject_id))
    return user && { email: user.email }
  })
}

/** @throws CrmError `validation_error`; the link stays valid */
export async function resetPassword(
  ports: Ports,
  token: string,
  input: unknown,
  origin: RequestOrigin,
): Promise<SessionToken | undefined> {
  const { storage, now, passwords } = ports
  // Checked first, so that an invalid link costs no password hash.
  const owner = await storage.read(async (tx) => {
    const link = await findResetLink(tx, ports, token)
    return link && (await tx.users.get(link.subject_id))
  })
  if (!owner) return undefined
  const fields = validate(resetInput, input)
  await checkNewPassword(passwords, 'new_password', fields.new_password, owner.email)
  const password_hash = await passwords.hash(fields.new_password)
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(owner.id)
    const link = await findResetLink(tx, ports, token, 'getForUpdate')
    if (!user || !link) return undefined
    const at = now()
    await setPassword(tx, {
      ...user,
      password_hash,
      email_verified_at: user.email_verified_at ?? at,
      updated_at: at,
    })
    await mailPasswordChanged(tx, ports, user, origin, at)
    return openSession(tx, ports, user.id, at)
  })
}

function findResetLink(
  tx: Transaction,
  ports: Ports,
  token: string,
  method?: 'getForUpdate',
): Promise<OneTimeLink | undefined> {
  return findValidLink(tx, ports, { purpose: 'password_reset', token }, method)
}
