import * as v from 'valibot'
import {
  changeable,
  jsonSchema,
  listOf,
  object,
  optional,
  resettable,
  singleLineText,
  uuid,
} from '../../engine/field-schemas.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import { type CustomFieldKind, resolveCustomValues } from '../custom-fields/custom-values.ts'
import { type DealChanges, type DealLink, resolveDealChanges } from '../deals/link-deals.ts'
import { resolveTagIds } from '../tags/tag.ts'

/** What `associatedItems` does not look at. */
export const OMITTED_FROM_ITEMS = [
  'tag_ids',
  'list_ids',
  'found_by',
] as const satisfies readonly (keyof AssociationFields)[]

/** How a kind of record is associated. */
export interface Associations {
  readonly kind: CustomFieldKind
  /** The field of a deal that holds the record's id; null where no deals belong to it. */
  readonly dealLink: DealLink | null
}

/** So many of each at once, so that no one call holds the database for long. */
export const MAX_ASSOCIATIONS = 100

export const tags = listOf(singleLineText(1, 60), 0, MAX_ASSOCIATIONS, 'tags')
export const lists = listOf(uuid, 0, MAX_ASSOCIATIONS, 'lists')
const stringArray = { type: 'array', items: { type: 'string' } }
const customFieldValue = v.pipe(
  v.unknown(),
  jsonSchema({
    anyOf: [{ type: 'string' }, { type: 'number' }, stringArray, { type: 'object' }, { type: 'null' }],
  }),
)
const custom_fields = listOf(
  object({ key: singleLineText(1, 60), value: customFieldValue }),
  0,
  200,
  'custom fields',
)
const dealIds = listOf(uuid, 0, MAX_ASSOCIATIONS, 'deals')

/** The input fields that a POST takes, and those of a PATCH: `null` empties all but `custom_fields`, which is merged by key. */
export const associationCreateFields = optional({ tags, lists, custom_fields })
export const associationUpdateFields = {
  tags: resettable(tags, []),
  lists: resettable(lists, []),
  ...changeable({ custom_fields }),
}
export const dealsCreateField = optional({ deals: dealIds })
export const dealsUpdateField = { deals: resettable(dealIds, []) }

export interface AssociationInput {
  readonly tags?: readonly string[] | undefined
  readonly lists?: readonly string[] | undefined
  readonly deals?: readonly string[] | undefined
  readonly custom_fields?: readonly { readonly key: string; readonly value: unknown }[] | undefined
}

/** What the input asks for, found and checked, and not yet written. */
export interface ResolvedAssociations {
  readonly fields: Partial<Omit<AssociationFields, 'found_by'>>
  readonly deals: DealChanges | undefined
}

export const NO_ASSOCIATION_CHANGES: ResolvedAssociations = { fields: {}, deals: undefined }

/** What is not found or breaks a rule is noted: `tags[1]`, `custom_fields.<key>`. */
export async function resolveAssociations(
  { kind, dealLink }: Associations,
  input: AssociationInput,
  before: (AssociationFields & { readonly id: string }) | undefined,
  unit: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<ResolvedAssociations> {
  const [tag_ids, list_ids, custom_values, deals] = await Promise.all([
    input.tags && resolveTagIds(input.tags, unit, errors),
    input.lists && resolveListIds(input.lists, unit, errors),
    input.custom_fields || !before
      ? resolveCustomValues(kind, input.custom_fields ?? [], before?.custom_values, unit, errors)
      : undefined,
    dealLink && input.deals && resolveDealChanges(dealLink, input.deals, before?.id, unit, errors),
  ])
  return {
    fields: {
      ...(tag_ids && { tag_ids }),
      ...(list_ids && { list_ids }),
      ...(custom_values && { custom_values }),
    },
    deals: deals ?? undefined,
  }
}

export async function resolveListIds(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const live = new Set((await stores.lists.getMany(ids)).map(({ id }) => id))
  for (const [index, id] of ids.entries()) if (!live.has(id)) errors.set(`lists[${index}]`, 'List not found.')
  return [...new Set(ids)]
}
