import { getOrNull } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import type { Tag } from '../../schema/tag.ts'
import {
  type CustomFieldKind,
  type CustomValueView,
  loadCustomValueViews,
} from '../custom-fields/custom-values.ts'
import { type ListSummary, loadListSummaries } from '../lists/list.ts'
import { loadTagViews } from '../tags/tag.ts'

export interface AssociatedItem {
  /** The fields with a value, in the order in which the fields were created. */
  readonly custom_fields: readonly CustomValueView[]
}

export interface AssociatedDetail extends AssociatedItem {
  /** In the order in which they were assigned, without deleted ones. */
  readonly tags: readonly Tag[]
  /** In the order in which they were assigned, without deleted ones. */
  readonly lists: readonly ListSummary[]
}

export async function loadAssociatedItems(
  page: readonly Pick<AssociationFields, 'custom_values'>[],
  kind: CustomFieldKind,
  unit: WorkspaceTransaction,
): Promise<(record: Pick<AssociationFields, 'custom_values'>) => AssociatedItem> {
  const viewValues = await loadCustomValueViews(page, kind, unit)
  return ({ custom_values }) => ({ custom_fields: viewValues(custom_values) })
}

/** Tags and lists keep the order of the input. Deleted ones are left out. */
export async function loadAssociatedDetails(
  page: readonly AssociationFields[],
  kind: CustomFieldKind,
  unit: WorkspaceTransaction,
): Promise<(record: AssociationFields) => AssociatedDetail> {
  const [viewItem, tags, lists] = await Promise.all([
    loadAssociatedItems(page, kind, unit),
    loadTagViews(distinct(page.flatMap(({ tag_ids }) => tag_ids)), unit),
    loadListSummaries(distinct(page.flatMap(({ list_ids }) => list_ids)), unit),
  ])
  return (record) => ({
    ...viewItem(record),
    tags: pickViews(tags, record.tag_ids),
    lists: pickViews(lists, record.list_ids),
  })
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function pickViews<V>(views: ReadonlyMap<string, V>, ids: readonly string[]): V[] {
  return ids.map((id) => getOrNull(views, id)).filter((view) => view !== null)
}
