import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { AnyShape } from '../../kernel/shape.ts'
import { SHAPES, SHARED_SHAPES } from '../../schema/index.ts'
import type { User } from '../../schema/user.ts'

/** A record of any collection. */
export type Row = RecordBase & Readonly<Record<string, unknown>>

/** The part of a user's account that an archive has. */
export type ArchivedUser = Pick<User, 'id' | 'email' | 'name' | 'created_at' | 'updated_at'>

const archivedUserShape: AnyShape = {
  columns: { email: 'text', name: 'text' },
  unique: ['email'],
  uniqueForever: [],
  foreignKeys: {},
}

/**
 * What belongs to one service: the log of deliveries with their bodies, what lets an app in, what members were told, and what
 * imports and bulk changes need.
 */
const LEFT_OUT = [
  'bulk_parts',
  'deliveries',
  'grants',
  'import_chunks',
  'import_parts',
  'notifications',
  'snapshots',
]

/**
 * The shapes of what an archive has, in its order: the workspace with its settings, the accounts of its members, and its
 * collections, each after those that its records refer to.
 */
export const ARCHIVED_SHAPES: ReadonlyMap<string, AnyShape> = new Map([
  ['workspaces', SHARED_SHAPES.workspaces as AnyShape],
  ['users', archivedUserShape],
  ...sortByReferences(Object.entries<AnyShape>(SHAPES).filter(([name]) => !LEFT_OUT.includes(name))),
])

/** The collections of the workspace among them. */
export const ARCHIVED_COLLECTIONS: readonly string[] = [...ARCHIVED_SHAPES.keys()].filter((name) =>
  Object.hasOwn(SHAPES, name),
)

function sortByReferences(shapes: readonly [string, AnyShape][]): readonly [string, AnyShape][] {
  const byName = new Map(shapes)
  const sorted = new Map<string, AnyShape>()
  function add(name: string): void {
    const shape = byName.get(name)
    if (!shape || sorted.has(name)) return
    for (const target of Object.values(shape.foreignKeys)) if (target !== name) add(target)
    sorted.set(name, shape)
  }
  for (const [name] of shapes) add(name)
  return [...sorted]
}

/**
 * The record as an archive has it; undefined for one that it leaves out. Webhooks of apps end with the grants of the
 * apps. Those of the console come without their secret, and are turned off: nobody has created them there. The links of
 * offers are addresses of this service.
 */
export function toArchivedRecord(collection: string, record: Row): Row | undefined {
  if (collection === 'deal_offers') return { ...record, link_hash: null, link_created_at: null }
  if (collection !== 'webhooks') return record
  if (record['client_id'] !== CONSOLE_CLIENT_ID) return undefined
  return { ...record, creator_user_id: null, sealed_secret: null }
}

/** Replaces the ids of members in a record, whose ids are those of their accounts. */
export function mapMemberIds(collection: string, record: Row, mapId: (id: string) => string): Row {
  const fields = Object.entries(ARCHIVED_SHAPES.get(collection)!.foreignKeys).flatMap(([field, target]) =>
    target === 'members' ? [field] : [],
  )
  if (collection === 'members' || collection === 'users') fields.push('id')
  const ids = fields.flatMap((field) => {
    const id = record[field]
    return typeof id === 'string' ? [[field, mapId(id)]] : []
  })
  return { ...record, ...Object.fromEntries(ids) }
}
