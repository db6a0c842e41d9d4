import type { IconName } from '../ui/icons.tsx'

/** The kinds of records that have pages. */
export const KINDS = ['people', 'companies', 'deals'] as const
/** The kinds of records that can be created from anywhere, in the order of menus. */
export const CREATABLE_KINDS = ['deals', 'people', 'companies', 'tasks', 'products'] as const

export type Kind = (typeof KINDS)[number]
export type CreatableKind = (typeof CREATABLE_KINDS)[number]

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
