import type { CustomField } from '@sales-crm/client'
import type { Kind } from '../kinds.ts'

/** The custom fields that are shown on records of a kind. */
export function fieldsOfKind(fields: readonly CustomField[], kind: Kind): readonly CustomField[] {
  const flag = ({ people: 'show_people', companies: 'show_companies', deals: 'show_deals' } as const)[kind]
  return fields.filter((field) => field[flag])
}
