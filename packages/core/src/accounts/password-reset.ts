import { HOUR, later, MINUTE } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { post } from '../letters/outbox.ts'
import { holdToLasting } from '../limits/count-lasting.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, object } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import type { SignedIn } from './account.ts'
import type { Link } from './link.ts'
import { goodLink, newLink } from './links.ts'
import { postChanged, setPassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { password } from './user.ts'

const askInput = object({ email })
const resetInput = object({ new_password: password })

const LINK_SECONDS = 30 * MINUTE

/**
 * An address that is nobody's gets a link too, about nobody and mailed to nobody, so that it takes the same work.
 * @throws CrmError `validation_error`, `rate_limit_exceeded`
 */
export async function askPasswordReset(ports: Ports, input: unknown, from: From): Promise<void> {
  const { storage, issuer, now, newId } = ports
  const address = validate(askInput, input).email.toLowerCase()
  await holdToLasting(ports, { key: `reset:${from.address}`, limit: 20, seconds: HOUR })
  await holdToLasting(ports, { key: `reset:${address}`, limit: 3, seconds: HOUR })
  await storage.transact(async (tx) => {
    const [user] = await tx.users.find([{ field: 'email', is: address }])
    const subject_id = user?.id ?? newId()
    // Held, though it may be nobody's: it takes the same work.
    await tx.users.getForUpdate(subject_id)
    const at = now()
    const life = { at, expires_at: later(at, LINK_SECONDS) }
    const token = await newLink(tx, ports, { purpose: 'password_reset', subject_id }, life)
    const letter = user && {
      kind: 'password_reset' as const,
      to: user.email,
      language: from.language,
      name: user.name,
      link: `${issuer}/password/reset/${token}`,
      address: from.address,
    }
    await post(tx, ports, letter, life)
  })
}

export async function userOfResetLink(ports: Ports, token: string): Promise<{ readonly email: string } | undefined> {
  return ports.storage.read(async (tx) => {
    const link = await resetLink(tx, ports, token)
    const user = link && (await tx.users.get(link.subject_id))
    return user && { email: user.email }
  })
}

/** @throws CrmError `validation_error`, which leaves the link good */
export async function resetPassword(ports: Ports, token: string, input: unknown, from: From): Promise<SignedIn | undefined> {
  const { storage, now, passwords } = ports
  // Nobody without a good link has a password hashed.
  const good = await storage.read((tx) => resetLink(tx, ports, token))
  if (!good) return undefined
  const asked = validate(resetInput, input)
  const password_hash = await passwords.hash(asked.new_password)
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(good.subject_id)
    const link = await resetLink(tx, ports, token, 'getForUpdate')
    if (!user || !link) return undefined
    const at = now()
    await setPassword(tx, { ...user, password_hash, updated_at: at })
    await postChanged(tx, ports, user, from, at)
    return openSession(tx, ports, user.id, at)
  })
}

function resetLink(tx: Transaction, ports: Ports, token: string, how?: 'getForUpdate'): Promise<Link | undefined> {
  return goodLink(tx, ports, { purpose: 'password_reset', token }, how)
}
