import { DAY, later, MINUTE } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { post } from '../letters/outbox.ts'
import { holdToLasting } from '../limits/count-lasting.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { object } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import type { Visitor } from './account.ts'
import { dropLinks } from './links.ts'
import type { PasswordCheck } from './password-check.ts'
import { endSessions } from './sessions.ts'
import { password, typed, type User } from './user.ts'

const changeInput = object({ current_password: typed, new_password: password })

/** @throws CrmError `validation_error`, `rate_limit_exceeded` */
export async function changePassword(
  ports: Ports,
  isPassword: PasswordCheck,
  visitor: Visitor,
  input: unknown,
  from: From,
): Promise<boolean> {
  const { storage, now, passwords } = ports
  const { id } = visitor.user
  const asked = validate(changeInput, input)
  await holdToLasting(ports, { key: `password:${id}`, limit: 5, seconds: 15 * MINUTE })
  const hash = (await storage.read((tx) => tx.users.get(id)))?.password_hash ?? null
  if (!(await isPassword(asked.current_password, hash))) return false
  const password_hash = await passwords.hash(asked.new_password)
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(id)
    // Another change was faster: the password that was checked is not the present one any more.
    if (user?.password_hash !== hash) return false
    const at = now()
    await setPassword(tx, { ...user, password_hash, updated_at: at }, visitor.session_id)
    await postChanged(tx, ports, user, from, at)
    return true
  })
}

/** Writes a user, held for update, with another password. What the one before led to ends: sessions, but for one to keep, and links. */
export async function setPassword(tx: Transaction, user: User, keep?: string): Promise<void> {
  await tx.users.update(user)
  await endSessions(tx, user.id, keep)
  await dropLinks(tx, { purpose: 'password_reset', subject_id: user.id })
}

export async function postChanged(tx: Transaction, ports: Ports, { email, name }: User, from: From, at: Instant): Promise<void> {
  const letter = { kind: 'password_changed', to: email, language: from.language, name, address: from.address } as const
  await post(tx, ports, letter, { at, expires_at: later(at, DAY) })
}
