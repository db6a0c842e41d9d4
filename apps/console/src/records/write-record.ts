import type { CrmClient } from '@sales-crm/client'
import type { CreatableKind } from './kinds.ts'

/** The calls of a kind. The table of its fields says which they are: the types of the kinds differ. */
interface RecordCalls {
  create(input: object): Promise<{ readonly id: string }>
  update(id: string, changes: object): Promise<unknown>
}

export function createRecord(
  crm: CrmClient,
  kind: CreatableKind,
  input: object,
): Promise<{ readonly id: string }> {
  return (crm[kind] as RecordCalls).create(input)
}

export function updateRecord(
  crm: CrmClient,
  kind: CreatableKind,
  id: string,
  changes: object,
): Promise<unknown> {
  return (crm[kind] as RecordCalls).update(id, changes)
}
