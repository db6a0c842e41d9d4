import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import { type CustomFieldKind, resolveCustomValues } from '../custom-fields/custom-values.ts'
import { resolveTagIds } from '../tags/tag.ts'

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
    async resolve(input, before, transaction, errors) {
      const { tags, lists, custom_fields } = input as AssociationInput
      const [tag_ids, list_ids, custom_values] = await Promise.all([
        tags && resolveTagIds(tags, transaction, errors),
        lists && resolveListIds(lists, transaction, errors),
        custom_fields || !before
          ? resolveCustomValues(kind, custom_fields ?? [], before?.custom_values, transaction, errors)
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
