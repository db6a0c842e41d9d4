import type { Collection } from '../ports.ts'
import { isUuid } from './fields.ts'
import type { Unit } from './unit.ts'

/** An input field that names another record. */
export interface Reference {
  /** The record's field that keeps the id. */
  readonly column: string
  /** Used in `Person not found.` */
  readonly label: string
  /** The id of the live record that `value` names in this workspace. */
  find(value: string, unit: Unit): Promise<string | undefined>
}

export type References = Readonly<Record<string, Reference>>

export function toRecord(column: string, collection: Collection, label: string): Reference {
  return {
    column,
    label,
    async find(id, { stores }) {
      return (await stores[collection].get(id))?.id
    },
  }
}

export const OWNER: References = {
  owner_user_id: { column: 'owner_user_id', label: 'Member', find: memberById },
  owner_email: { column: 'owner_user_id', label: 'Member', find: memberByEmail },
}

export async function memberByEmail(email: string, { shared, stores }: Unit): Promise<string | undefined> {
  const [user] = await shared.users.find([{ field: 'email', is: email.toLowerCase() }])
  return user && memberById(user.id, { stores })
}

export async function memberById(id: string, { stores }: Pick<Unit, 'stores'>): Promise<string | undefined> {
  const member = isUuid(id) ? await stores.members.get(id) : undefined
  return member?.removed_at === null ? member.id : undefined
}

/**
 * Replaces what a caller named by what the record keeps. A field left out stays out, null stays null.
 * What is not found is noted under the caller's name for it.
 */
export async function resolveReferences(
  references: References,
  input: Readonly<Record<string, unknown>>,
  unit: Unit,
  errors: Map<string, string>,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !Object.hasOwn(references, name)) fields[name] = value
  }
  const named = Object.entries(references).filter(([name]) => input[name] !== undefined)
  await Promise.all(
    named.map(async ([name, { column, label, find }]) => {
      const value = input[name]
      const id = typeof value === 'string' ? await find(value, unit) : null
      if (id === undefined) errors.set(name, `${label} not found.`)
      else fields[column] = id
    }),
  )
  return fields
}
