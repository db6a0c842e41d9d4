import type { IconName } from '../ui/icons.tsx'

/** The kinds of records that have pages. */
export type Kind = 'people' | 'companies' | 'deals'
/** The kinds of records that can be created from anywhere. */
export type CreatableKind = Kind | 'tasks' | 'products'

export const KIND_ICONS: Readonly<Record<CreatableKind, IconName>> = {
  people: 'person',
  companies: 'company',
  deals: 'board',
  tasks: 'tasks',
  products: 'product',
}

/** The name of a record of any kind. */
export function recordName(record: {
  readonly full_name?: string
  readonly name?: string
  readonly title?: string
}): string {
  return record.full_name ?? record.name ?? record.title ?? ''
}
