import { deriveKey } from '../../engine/derive-key.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { isKey, isUuid } from '../../kernel/field-schemas.ts'
import { RESERVED_TAG_KEYS, type Tag } from '../../schema/tag.ts'

export const tagEvents = lifecycleEvents('tag.created', 'tag.updated', 'tag.deleted')

export const tags = defineResource('tags', {
  deriveFields: (change, { stores }) =>
    deriveKey(change, change.fields.name, 'tag', stores.tags, RESERVED_TAG_KEYS),
  events: tagEvents,
  snapshot: (tag) => ({ tag }),
})

/** Returns the id of the live tag with this id or key. */
export async function findTagId(
  name: string,
  transaction: WorkspaceTransaction,
): Promise<string | undefined> {
  const [tag] = await findTags([name], transaction)
  return tag?.id
}

/**
 * Returns the distinct ids of the tags with these ids or keys, in order. Reports unknown ones in `errors`
 * under `tags[n]`.
 */
export async function resolveTagIds(
  names: readonly string[],
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<readonly string[]> {
  const tags = await findTags(names, transaction)
  const ids = new Map(tags.flatMap(({ id, key }) => [[id, id] as const, [key, id] as const]))
  for (const [index, name] of names.entries())
    if (!ids.has(name.toLowerCase())) errors.set(`tags[${index}]`, 'Tag not found.')
  return [...new Set(names.flatMap((name) => ids.get(name.toLowerCase()) ?? []))]
}

/** Keys have no hyphens, so none is a UUID. Names that can be neither are not looked up. */
async function findTags(names: readonly string[], { stores }: WorkspaceTransaction): Promise<readonly Tag[]> {
  const lower = names.map((name) => name.toLowerCase())
  const keys = lower.filter(isKey)
  const [byId, byKey] = await Promise.all([
    stores.tags.getMany(lower.filter(isUuid)),
    keys.length === 0 ? [] : stores.tags.find([{ field: 'key', oneOf: keys }]),
  ])
  return [...byId, ...byKey]
}
