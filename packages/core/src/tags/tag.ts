import type { Instant, RecordBase } from '../ports.ts'
import { changeable, color, DEFAULT_COLOR, isKey, isUuid, key, line, object, optional } from '../records/fields.ts'
import { settleKey } from '../records/key.ts'
import { defineResource, lifeEvents } from '../records/resource.ts'
import { type Unit, viewsOf } from '../records/unit.ts'

export interface Tag extends RecordBase {
  readonly updated_at: Instant
  readonly key: string
  readonly name: string
  readonly color: string
}

export const tagShape = { columns: { key: 'text', name: 'text', color: 'text' }, unique: ['key'], neverReused: [], refersTo: {} } as const

const name = line(1, 60)

export const tagEvents = lifeEvents('tag.created', 'tag.updated', 'tag.deleted')

export const tags = defineResource<Tag>()({
  label: 'Tag',
  scopes: { read: 'tags:read', write: 'tags:write' },
  store: (stores) => stores.tags,
  orderBy: ['created_at', 'name'],
  filters: {},
  create: object({ name, ...optional({ color, key }) }),
  update: object(changeable({ name, color, key })),
  references: {},
  codeLetter: null,
  blank: { key: '', name: '', color: DEFAULT_COLOR },
  associations: null,
  foundBy: null,
  settle: (change, { stores }) => settleKey(change, change.fields.name, 'tag', stores.tags),
  events: tagEvents,
  listView: async (page) => page,
  detailView: async (page) => page,
  snapshot: (tag) => ({ tag }),
})

export function tagViews(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, Tag>> {
  return viewsOf(stores.tags, ids, (tag) => tag)
}

/** The id of the live tag that an id or a key names. */
export async function tagIdNamed(name: string, unit: Unit): Promise<string | undefined> {
  const [tag] = await tagsNamed([name], unit)
  return tag?.id
}

/** The ids of the tags that ids and keys name, in their order, each once. What is not found is left out, and noted under `tags[n]`. */
export async function tagIdsNamed(names: readonly string[], unit: Unit, errors: Map<string, string>): Promise<readonly string[]> {
  const found = await tagsNamed(names, unit)
  const ids = new Map(found.flatMap(({ id, key }) => [[id, id] as const, [key, id] as const]))
  for (const [index, each] of names.entries()) if (!ids.has(each.toLowerCase())) errors.set(`tags[${index}]`, 'Tag not found.')
  return [...new Set(names.flatMap((each) => ids.get(each.toLowerCase()) ?? []))]
}

/** No key is a UUID, since keys have no hyphens; what could be neither is not asked for. */
async function tagsNamed(names: readonly string[], { stores }: Unit): Promise<readonly Tag[]> {
  const lower = names.map((each) => each.toLowerCase())
  const keys = lower.filter(isKey)
  const [byId, byKey] = await Promise.all([
    stores.tags.getMany(lower.filter(isUuid)),
    keys.length === 0 ? [] : stores.tags.find([{ field: 'key', oneOf: keys }]),
  ])
  return [...byId, ...byKey]
}
