import * as v from 'valibot'
import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { uuid } from '../../kernel/field-schemas.ts'
import { changeable, listOf, object, optional, resettable } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { jsonSchema, singleLineText } from '../../kernel/text-schemas.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import { type CustomFieldKind, resolveCustomValues } from '../custom-fields/custom-values.ts'
import { resolveTagIds } from '../tags/tag.ts'

/** Columns that `loadAssociatedItems` does not use. */
export const DETAIL_ONLY_COLUMNS = [
  'tag_ids',
  'list_ids',
  'search_terms',
] as const satisfies readonly (keyof AssociationFields)[]

/** Maximum number of each in one call. Bounds the time of its transaction. */
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

/** Input fields of creates and updates. Null clears all but `custom_fields`, which is merged by key. */
export const associationCreateFields = optional({ tags, lists, custom_fields })
export const associationUpdateFields = {
  tags: resettable(tags, []),
  lists: resettable(lists, []),
  ...changeable({ custom_fields }),
}

const dealIds = listOf(uuid, 0, MAX_ASSOCIATIONS, 'deals')
export const dealsCreateField = optional({ deals: dealIds })
export const dealsUpdateField = { deals: resettable(dealIds, []) }

interface AssociationInput {
  readonly tags?: readonly string[]
  readonly lists?: readonly string[]
  readonly custom_fields?: readonly { readonly key: string; readonly value: unknown }[]
}

/**
 * Extension for tags, lists and custom fields. Sets errors under `tags[1]`, `lists[0]` and
 * `custom_fields.<key>`.
 */
export function associations<R extends RecordBase & AssociationFields>(kind: CustomFieldKind): Extension<R> {
  return {
    inputFields: ['tags', 'lists', 'custom_fields'],
    async resolve(input, before, unit, errors) {
      const { tags, lists, custom_fields } = input as AssociationInput
      const [tag_ids, list_ids, custom_values] = await Promise.all([
        tags && resolveTagIds(tags, unit, errors),
        lists && resolveListIds(lists, unit, errors),
        custom_fields || !before
          ? resolveCustomValues(kind, custom_fields ?? [], before?.custom_values, unit, errors)
          : undefined,
      ])
      return {
        fields: {
          ...(tag_ids && { tag_ids }),
          ...(list_ids && { list_ids }),
          ...(custom_values && { custom_values }),
        },
      }
    },
  }
}

export async function resolveListIds(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const liveIds = new Set((await stores.lists.getMany(ids)).map(({ id }) => id))
  for (const [index, id] of ids.entries())
    if (!liveIds.has(id)) errors.set(`lists[${index}]`, 'List not found.')
  return [...new Set(ids)]
}
