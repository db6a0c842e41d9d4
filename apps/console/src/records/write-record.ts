import type { CrmClient } from '@sales-crm/client'
import type { CreatableKind } from './kinds.ts'
import type { PickedRecord } from './record-picker.tsx'

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

/** The id of a person or company that was picked. Creates it if it is new; a person, in the company. */
export async function findOrCreateContact(
  crm: CrmClient,
  { kind, id, name }: PickedRecord,
  company_id?: string,
): Promise<string> {
  if (id !== undefined) return id
  const contact = { full_name: name, ...(kind === 'people' && company_id && { company_id }) }
  return (await createRecord(crm, kind, contact)).id
}
