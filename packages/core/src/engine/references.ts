import { isUuid } from '../kernel/field-schemas.ts'
import type { Collection } from '../ports/index.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** An input field that names another record. */
export interface Reference {
  /** The column of the id. */
  readonly column: string
  /** Used in `Person not found.` */
  readonly label: string
  /** The id of the live record that `value` names in this workspace. */
  find(value: string, unit: WorkspaceTransaction): Promise<string | undefined>
}

export type References = Readonly<Record<string, Reference>>

export function referenceTo(column: string, collection: Collection, label: string): Reference {
  return {
    column,
    label,
    async find(id, { stores }) {
      return (await stores[collection].get(id))?.id
    },
  }
}

export const OWNER_REFERENCES: References = {
  owner_user_id: { column: 'owner_user_id', label: 'Member', find: findMemberId },
  owner_email: { column: 'owner_user_id', label: 'Member', find: findMemberIdByEmail },
}

export async function findMemberIdByEmail(
  email: string,
  { shared, stores }: WorkspaceTransaction,
): Promise<string | undefined> {
  const [user] = await shared.users.find([{ field: 'email', is: email.toLowerCase() }])
  return user && findMemberId(user.id, { stores })
}

export async function findMemberId(
  id: string,
  { stores }: Pick<WorkspaceTransaction, 'stores'>,
): Promise<string | undefined> {
  const member = isUuid(id) ? await stores.members.get(id) : undefined
  return member?.removed_at === null ? member.id : undefined
}

/**
 * Replaces references in the input by the columns with their ids. Missing fields stay missing and null stays
 * null. Sets an error under the caller's field for each record that does not exist.
 */
export async function resolveReferences(
  references: References,
  input: Readonly<Record<string, unknown>>,
  unit: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !Object.hasOwn(references, name)) fields[name] = value
  }
  const provided = Object.entries(references).filter(([name]) => input[name] !== undefined)
  await Promise.all(
    provided.map(async ([name, { column, label, find }]) => {
      const value = input[name]
      const id = typeof value === 'string' ? await find(value, unit) : null
      if (id === undefined) errors.set(name, `${label} not found.`)
      else fields[column] = id
    }),
  )
  return fields
}
