import { notFoundRule } from '../kernel/errors.ts'
import { isUuid } from '../kernel/field-schemas.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { KINDS, type KindName, type ResourceName } from '../schema/index.ts'
import type { FindMethod } from '../schema/reference-fields.ts'
import { fieldsOf } from '../schema/responses.ts'
import { findById } from './find-by-id.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** An input field that names another record. */
export interface Reference {
  /** The column of the id. */
  readonly column: string
  /** Used in `Person not found.` */
  readonly label: string
  /** The id of the live record that `value` names in this workspace. */
  find(value: string, transaction: WorkspaceTransaction): Promise<string | undefined>
}

export type References = Readonly<Record<string, Reference>>

/** The input fields of a kind that name other records, except those that its feature finds itself. */
export function buildReferences(kind: KindName): References {
  const references = fieldsOf(kind).flatMap(([, field]) => {
    if (field.is !== 'reference') return []
    const { column, kind: target } = field
    return Object.entries(field.inputs).flatMap(([name, { by }]) =>
      by === 'feature' ? [] : [[name, buildReference(column, target as KindName, by)] as const],
    )
  })
  return Object.fromEntries(references)
}

/** The inputs of a kind that take the key of another record, and the kinds of those. */
export function listKeyInputs(kind: KindName): readonly (readonly [input: string, kind: ResourceName])[] {
  return fieldsOf(kind).flatMap(([, field]) => {
    if (field.is !== 'reference') return []
    const inputs = Object.entries(field.inputs).filter(([, { by }]) => by === 'idOrKey')
    return inputs.map(([input]) => [input, field.kind as ResourceName] as const)
  })
}

function buildReference(column: string, target: KindName, by: FindMethod): Reference {
  const { label } = KINDS[target]
  return { column, label, find: (value, transaction) => FINDERS[by](value, transaction, target) }
}

type Find = (
  value: string,
  transaction: WorkspaceTransaction,
  target: KindName,
) => Promise<string | undefined>

const FINDERS: Readonly<Record<FindMethod, Find>> = {
  id: async (id, { stores }, target) => (await stores[target].get(id))?.id,
  async idOrKey(name, { stores }, target) {
    const store = stores[target] as unknown as RecordStore<HasKey>
    const byId = await findById(store, name)
    if (byId) return byId.id
    const [byKey] = await store.find([{ field: 'key', is: name.toLowerCase() }])
    return byKey?.id
  },
  member: findMemberId,
  memberEmail: findMemberIdByEmail,
}

interface HasKey extends RecordBase {
  readonly key: string
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
  transaction: WorkspaceTransaction,
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
      const id = typeof value === 'string' ? await find(value, transaction) : null
      if (id === undefined) errors.set(name, notFoundRule(label))
      else fields[column] = id
    }),
  )
  return fields
}
