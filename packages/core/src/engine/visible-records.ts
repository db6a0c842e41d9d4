import type { RecordBase } from '../kernel/record.ts'
import type { NamedCondition } from '../kernel/record-queries.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import {
  isVisible,
  listVisibleOwners,
  type OwnedRecord,
  type RuledKind,
  type Viewer,
} from '../kernel/visibility.ts'
import type { WorkspaceStores } from '../ports/storage.ts'
import { shareFacet } from '../schema/facets.ts'
import type { Collection } from '../schema/index.ts'

type Row = RecordBase & Readonly<Record<string, unknown>>

/** Which records of one collection a viewer sees: as conditions of a query, and as a filter of records. */
export interface VisibleRecords {
  /** All of them apply. */
  readonly where: readonly NamedCondition[]
  filter(records: readonly Row[]): Promise<readonly Row[]>
}

/** The rule of a collection: returns undefined if the viewer sees all of its records. */
type RuleOf = (viewer: Viewer, stores: WorkspaceStores) => VisibleRecords | undefined

/** The collections that are not visible to all. */
export const COLLECTION_RULES: Readonly<Partial<Record<Collection, RuleOf>>> = {
  people: (viewer) => ownedRecords('people', viewer),
  companies: (viewer) => ownedRecords('companies', viewer),
  deals: (viewer) => ownedRecords('deals', viewer),
  tasks: visibleTasks,
  activities: visibleActivities,
  attachments: (viewer, stores) => partsOf('activities', 'activity_id', viewer, stores),
  deal_items: (viewer, stores) => partsOf('deals', 'deal_id', viewer, stores),
  deal_offers: (viewer, stores) => partsOf('deals', 'deal_id', viewer, stores),
  stage_moves: (viewer, stores) => partsOf('deals', 'deal_id', viewer, stores),
  targets: visibleTargets,
}

/** The collections of which every member sees a part only, whatever the rules of the workspace. */
export const MEMBER_RULES: Readonly<
  Partial<Record<Collection, (userId: string, stores: WorkspaceStores) => Promise<VisibleRecords>>>
> = { views: sharedViews, lost_reasons: currentReasons, notifications: ownNotifications }

/** Deleted reasons stay for the deals that have them, and are not offered. */
async function currentReasons(): Promise<VisibleRecords> {
  return {
    where: [{ field: 'removed_at', is: null }],
    filter: async (records) => records.filter(({ removed_at }) => removed_at === null),
  }
}

async function ownNotifications(userId: string): Promise<VisibleRecords> {
  return {
    where: [
      { field: 'member_id', is: userId },
      { field: 'in_app', is: true },
    ],
    filter: async (records) =>
      records.filter(({ member_id, in_app }) => member_id === userId && in_app === true),
  }
}

/** A member's own views, and what others share. */

async function sharedViews(userId: string, { teams }: WorkspaceStores): Promise<VisibleRecords> {
  const own = (await teams.find([])).filter(({ members }) => members.some(({ id }) => id === userId))
  const teammates = new Set(own.flatMap(({ members }) => members.map(({ id }) => id)))
  return {
    where: [
      {
        anyOf: [
          { field: 'owner_user_id', is: userId },
          { field: 'shared', is: 'everyone' },
          {
            allOf: [
              { field: 'shared', is: 'team' },
              { field: 'owner_user_id', oneOf: [...teammates] },
            ],
          },
        ],
      },
    ],
    filter: async (records) =>
      records.filter(
        ({ owner_user_id: owner, shared }) =>
          owner === userId || shared === 'everyone' || (shared === 'team' && teammates.has(String(owner))),
      ),
  }
}

/** The records that others link to, and the columns with their ids. */
const LINKS = [
  ['people', 'person_id'],
  ['companies', 'company_id'],
  ['deals', 'deal_id'],
] as const

function ownedRecords(kind: RuledKind, viewer: Viewer): VisibleRecords | undefined {
  if (viewer.visibility[kind] === 'everyone') return undefined
  return {
    where: [{ anyOf: ownedConditions(kind, viewer) }],
    filter: async (records) =>
      records.filter((record) => isVisible(kind, record as unknown as OwnedRecord, viewer)),
  }
}

function ownedConditions(kind: RuledKind, viewer: Viewer): readonly NamedCondition[] {
  const shares = [...viewer.shareKeys].map(shareFacet)
  return [
    { field: 'owner_user_id', is: null },
    { field: 'owner_user_id', oneOf: [...listVisibleOwners(kind, viewer)] },
    ...(shares.length > 0 ? [{ field: 'search_terms', hasAnyTerm: shares }] : []),
  ]
}

/** A target is visible with the deals of its owner, except for those that are shared one by one. */
function visibleTargets(viewer: Viewer): VisibleRecords | undefined {
  if (viewer.visibility.deals === 'everyone') return undefined
  const owners = listVisibleOwners('deals', viewer)
  return {
    where: [{ field: 'owner_id', oneOf: [...owners] }],
    filter: async (records) => records.filter(({ owner_id }) => owners.has(String(owner_id))),
  }
}

/** A task is also visible to the owner of the record that it is linked to. */
function visibleTasks(viewer: Viewer, stores: WorkspaceStores): VisibleRecords | undefined {
  const owned = ownedRecords('tasks', viewer)
  if (!owned) return undefined
  const ofViewer = { field: 'owner_user_id', oneOf: [...viewer.userIds] }
  const linked = LINKS.map(([collection, field]) => ({
    ...{ field, whereRelated: { collection, where: [ofViewer] } },
  }))
  return {
    where: [{ anyOf: [...ownedConditions('tasks', viewer), ...linked] }],
    async filter(records) {
      const visible = new Set(await owned.filter(records))
      const others = records.filter((record) => !visible.has(record))
      const isLinked = await findLinked(others, async (collection, ids) => {
        const found = await storeOf(stores, collection).getMany(ids)
        return found.filter(({ owner_user_id }) => viewer.userIds.has(String(owner_user_id)))
      })
      return records.filter((record) => visible.has(record) || isLinked(record))
    },
  }
}

/** The owners of the records that a task is linked to, as far as the stores have them. */
export async function findLinkedOwners(task: object, stores: WorkspaceStores): Promise<ReadonlySet<string>> {
  const owners = LINKS.map(async ([collection, field]) => {
    const linkedId = (task as Row)[field]
    const linked = linkedId === null ? undefined : await storeOf(stores, collection).get(String(linkedId))
    return linked?.['owner_user_id'] ?? []
  })
  return new Set((await Promise.all(owners)).flat().map(String))
}

/** An activity follows the record that it is linked to. If there is none, or no longer, its owner sees it. */
function visibleActivities(viewer: Viewer, stores: WorkspaceStores): VisibleRecords {
  const linked = LINKS.map(([collection, field]) => ({
    ...{
      field,
      whereRelated: { collection, where: COLLECTION_RULES[collection]!(viewer, stores)?.where ?? [] },
    },
  }))
  const unlinked = LINKS.map(([collection, field]) => ({
    not: { field, whereRelated: { collection, where: [] } },
  }))
  const ofViewer = { field: 'owner_user_id', oneOf: [...viewer.userIds] }
  return {
    where: [{ anyOf: [...linked, { allOf: [ofViewer, ...unlinked] }] }],
    async filter(records) {
      const loadVisible = async (collection: LinkedKind, ids: readonly string[]) => {
        const found = await storeOf(stores, collection).getMany(ids)
        return COLLECTION_RULES[collection]!(viewer, stores)?.filter(found) ?? found
      }
      const [hasVisible, hasAny] = await Promise.all([
        findLinked(records, loadVisible),
        findLinked(records, (collection, ids) => storeOf(stores, collection).getMany(ids)),
      ])
      return records.filter(
        (record) =>
          hasVisible(record) || (!hasAny(record) && viewer.userIds.has(String(record['owner_user_id']))),
      )
    },
  }
}

/** Records that are a part of another one, and are visible with it. */
function partsOf(
  collection: 'activities' | 'deals',
  field: string,
  viewer: Viewer,
  stores: WorkspaceStores,
): VisibleRecords | undefined {
  const rule = COLLECTION_RULES[collection]!(viewer, stores)
  if (!rule) return undefined
  return {
    where: [{ field, whereRelated: { collection, where: rule.where } }],
    async filter(records) {
      const ids = [...new Set(records.map((record) => String(record[field])))]
      const whole = await rule.filter(await storeOf(stores, collection).getMany(ids))
      const visible = new Set(whole.map(({ id }) => id))
      return records.filter((record) => visible.has(String(record[field])))
    },
  }
}

/** A transaction with its reader. */
interface VisibleSource {
  readonly service: { readonly stores: WorkspaceStores }
  viewer(): Promise<Viewer | undefined>
}

/** The conditions on the records of a collection that the reader of a transaction sees. */
export async function visibleWhere(
  collection: Collection,
  { viewer, service }: VisibleSource,
): Promise<readonly NamedCondition[]> {
  const reader = await viewer()
  return (reader && COLLECTION_RULES[collection]?.(reader, service.stores)?.where) ?? []
}

type LinkedKind = (typeof LINKS)[number][0]

/** Returns a function that tells whether a record is linked to one that `load` finds. */
async function findLinked(
  records: readonly Row[],
  load: (collection: LinkedKind, ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<(record: Row) => boolean> {
  const found = await Promise.all(
    LINKS.map(async ([collection, field]) => {
      const ids = [...new Set(records.flatMap((record) => record[field] ?? []))].map(String)
      return [
        field,
        new Set(ids.length > 0 ? (await load(collection, ids)).map(({ id }) => id) : []),
      ] as const
    }),
  )
  return (record) => found.some(([field, ids]) => ids.has(String(record[field])))
}

function storeOf(stores: WorkspaceStores, collection: Collection): RecordStore<Row> {
  return stores[collection] as unknown as RecordStore<Row>
}
