import { type CustomFieldKind, type CustomValueView, customValueViews } from '../custom-fields/custom-values.ts'
import { type ListSummary, listSummaries } from '../lists/list.ts'
import { type Tag, tagViews } from '../tags/tag.ts'
import type { Associated } from './associations.ts'
import { linked, type Unit } from './unit.ts'

export interface AssociatedItem {
  readonly custom_fields: readonly CustomValueView[]
}

export interface AssociatedDetail extends AssociatedItem {
  readonly tags: readonly Tag[]
  readonly lists: readonly ListSummary[]
}

export async function associatedItems(
  page: readonly Pick<Associated, 'custom_values'>[],
  kind: CustomFieldKind,
  unit: Unit,
): Promise<(record: Pick<Associated, 'custom_values'>) => AssociatedItem> {
  const values = await customValueViews(page, kind, unit)
  return ({ custom_values }) => ({ custom_fields: values(custom_values) })
}

/** Tags and lists come in the order in which they were given; deleted ones are left out. */
export async function associatedDetails(
  page: readonly Associated[],
  kind: CustomFieldKind,
  unit: Unit,
): Promise<(record: Associated) => AssociatedDetail> {
  const [items, tags, lists] = await Promise.all([
    associatedItems(page, kind, unit),
    tagViews(distinct(page.flatMap(({ tag_ids }) => tag_ids)), unit),
    listSummaries(distinct(page.flatMap(({ list_ids }) => list_ids)), unit),
  ])
  return (record) => ({ ...items(record), tags: among(tags, record.tag_ids), lists: among(lists, record.list_ids) })
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function among<V>(views: ReadonlyMap<string, V>, ids: readonly string[]): V[] {
  return ids.map((id) => linked(views, id)).filter((view) => view !== null)
}
