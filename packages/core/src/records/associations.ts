import * as v from 'valibot'
import { type CustomFieldKind, type CustomValues, resolveCustomValues } from '../custom-fields/custom-values.ts'
import { type DealChanges, type DealLink, resolveDeals } from '../deals/link-deals.ts'
import { tagIdsNamed } from '../tags/tag.ts'
import { changeable, line, listOf, object, optional, resettable, told, uuid } from './fields.ts'
import type { Unit } from './unit.ts'

/** What people, companies and deals have beyond their own fields. It is kept with the record, and found by its index. */
export interface Associated {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
  /** What the record is found by: the words of its own fields, and a mark for each tag, list and option it holds. */
  readonly found_by: string
}

export const ASSOCIATED_COLUMNS = { tag_ids: 'json', list_ids: 'json', custom_values: 'json', found_by: 'words' } as const

/** What `associatedItems` does not look at. */
export const NOT_IN_ITEMS = ['tag_ids', 'list_ids', 'found_by'] as const satisfies readonly (keyof Associated)[]

export const NOTHING_ASSOCIATED: Associated = { tag_ids: [], list_ids: [], custom_values: {}, found_by: '' }

/** How a kind of record is associated. */
export interface Associations {
  readonly kind: CustomFieldKind
  /** The field of a deal that holds the record's id; null where no deals belong to it. */
  readonly dealLink: DealLink | null
}

/** So many of each at once, so that no one call holds the database for long. */
export const MOST_ASSOCIATED = 100

export const tags = listOf(line(1, 60), 0, MOST_ASSOCIATED, 'tags')
export const lists = listOf(uuid, 0, MOST_ASSOCIATED, 'lists')
const listOfText = { type: 'array', items: { type: 'string' } }
const value = v.pipe(
  v.unknown(),
  told({ anyOf: [{ type: 'string' }, { type: 'number' }, listOfText, { type: 'object' }, { type: 'null' }] }),
)
const custom_fields = listOf(object({ key: line(1, 60), value }), 0, 200, 'custom fields')
const dealIds = listOf(uuid, 0, MOST_ASSOCIATED, 'deals')

/** The input fields that a POST takes, and those of a PATCH: `null` empties all but `custom_fields`, which is merged by key. */
export const associatedInput = optional({ tags, lists, custom_fields })
export const associatedChanges = { tags: resettable(tags, []), lists: resettable(lists, []), ...changeable({ custom_fields }) }
export const dealsInput = optional({ deals: dealIds })
export const dealsChanges = { deals: resettable(dealIds, []) }

export interface AssociationInput {
  readonly tags?: readonly string[] | undefined
  readonly lists?: readonly string[] | undefined
  readonly deals?: readonly string[] | undefined
  readonly custom_fields?: readonly { readonly key: string; readonly value: unknown }[] | undefined
}

/** What the input asks for, found and checked, and not yet written. */
export interface ResolvedAssociations {
  readonly fields: Partial<Omit<Associated, 'found_by'>>
  readonly deals: DealChanges | undefined
}

export const NONE_SENT: ResolvedAssociations = { fields: {}, deals: undefined }

/** What is not found or breaks a rule is noted: `tags[1]`, `custom_fields.<key>`. */
export async function resolveAssociations(
  { kind, dealLink }: Associations,
  sent: AssociationInput,
  before: (Associated & { readonly id: string }) | undefined,
  unit: Unit,
  errors: Map<string, string>,
): Promise<ResolvedAssociations> {
  const [tag_ids, list_ids, custom_values, deals] = await Promise.all([
    sent.tags && tagIdsNamed(sent.tags, unit, errors),
    sent.lists && listIds(sent.lists, unit, errors),
    sent.custom_fields || !before ? resolveCustomValues(kind, sent.custom_fields ?? [], before?.custom_values, unit, errors) : undefined,
    dealLink && sent.deals && resolveDeals(dealLink, sent.deals, before?.id, unit, errors),
  ])
  return {
    fields: { ...(tag_ids && { tag_ids }), ...(list_ids && { list_ids }), ...(custom_values && { custom_values }) },
    deals: deals ?? undefined,
  }
}

export async function listIds(ids: readonly string[], { stores }: Unit, errors: Map<string, string>): Promise<readonly string[]> {
  const live = new Set((await stores.lists.getMany(ids)).map(({ id }) => id))
  for (const [index, id] of ids.entries()) if (!live.has(id)) errors.set(`lists[${index}]`, 'List not found.')
  return [...new Set(ids)]
}
