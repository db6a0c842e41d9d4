import type { CustomField } from '@sales-crm/client'
import type { CreatableKind } from '../kinds.ts'

const FLAGS = { people: 'show_people', companies: 'show_companies', deals: 'show_deals' } as const

/** The custom fields that are shown on records of a kind. */
export function fieldsOfKind(fields: readonly CustomField[], kind: CreatableKind): readonly CustomField[] {
  const flag = kind in FLAGS ? FLAGS[kind as keyof typeof FLAGS] : undefined
  return flag ? fields.filter((field) => field[flag]) : []
}
