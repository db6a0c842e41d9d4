import type { CustomField } from '@sales-crm/client'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'

/** The custom fields without which a record of a kind cannot be created. */
export function useRequiredFields(kind: CreatableKind): readonly CustomField[] {
  const fields = useMenu('customFields')
  return fieldsOfKind(fields.data ?? [], kind).filter(({ required }) => required)
}
