import type { RecordBase } from '../kernel/record.ts'
import type { Condition, ListQuery, RelatedSortKey, SortKey } from '../kernel/record-queries.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { type Collection, toCollection } from '../schema/index.ts'
import { aggregateRecords, computeMedianDuration, groupRecords } from './aggregates.ts'
import type { BaseStore, OwnCondition } from './base-storage.ts'
import { compare } from './compare.ts'
import type { TransactionGuard } from './transaction-guard.ts'

export type AnyRecord = RecordBase & Readonly<Record<string, unknown>>
type AnyConditions = readonly Condition<AnyRecord>[]
export type StoreOf = (collection: Collection) => BaseStore<AnyRecord>

/**
 * Derives the verbs of a collection that a store does not implement.
 * @param storeOf the other collections of the workspace
 */
export function completeStore<R extends RecordBase>(
  base: BaseStore<R>,
  storeOf: StoreOf,
  guard: TransactionGuard,
): RecordStore<R> {
  const derived = deriveVerbs(base, storeOf)
  return {
    get: (id) => guard.read(() => base.get(id)),
    getForUpdate: (id, options) => guard.lock(() => base.getForUpdate(id, options)),
    getForShare: (id) => guard.lock(() => base.getForShare(id)),
    getMany: (ids) => guard.read(() => base.getMany?.(ids) ?? derived.getMany(ids)),
    find: (where) => guard.read(() => derived.find(where)),
    has: (where) => guard.read(() => base.has?.(where) ?? derived.has(where)),
    countByTerm: (field, terms) =>
      guard.read(() => base.countByTerm?.(field, terms) ?? derived.countByTerm(field, terms)),
    list: (query) => guard.read(() => base.list?.(query) ?? derived.list(query)),
    aggregate: (query) => guard.read(() => base.aggregate?.(query) ?? derived.aggregate(query)),
    listGroups: (query) => guard.read(() => base.listGroups?.(query) ?? derived.listGroups(query)),
    medianDuration: (query) =>
      guard.read(() => base.medianDuration?.(query) ?? derived.medianDuration(query)),
    scan: (query) => guard.read(() => base.scan(query)),
    insert: (record) => guard.write(() => base.insert(record)),
    insertMany: (records) => guard.write(() => base.insertMany?.(records) ?? derived.insertMany(records)),
    update: (record) => guard.write(() => base.update(record)),
    softDelete: (id, at) => guard.write(() => base.softDelete(id, at)),
    hardDelete: (id) => guard.write(() => base.hardDelete(id)),
  }
}

type DerivedVerb =
  | 'getMany'
  | 'find'
  | 'has'
  | 'countByTerm'
  | 'list'
  | 'aggregate'
  | 'listGroups'
  | 'medianDuration'
  | 'insertMany'

function deriveVerbs<R extends RecordBase>(
  base: BaseStore<R>,
  storeOf: StoreOf,
): Pick<RecordStore<R>, DerivedVerb> {
  const findAll = (where: readonly Condition<R>[]) => findMatching(base, where, storeOf)
  return {
    async getMany(ids) {
      const records = await Promise.all([...new Set(ids)].map((id) => base.get(id)))
      return records.filter((record) => record !== undefined)
    },
    find: async (where) => sortRecords(await findAll(where), { order_by: 'created_at', order: 'asc' }),
    has: async (where) => (await findAll(where)).length > 0,
    async countByTerm(field, terms) {
      const counts = terms.map(
        async (term) => [term, (await base.find([{ field, hasTerm: term }])).length] as const,
      )
      return new Map(await Promise.all(counts))
    },
    async list(query) {
      const related = await loadRelatedValues(query, storeOf)
      const records = sortRecords(await findAll(query.where), query, related)
      const start = (query.page - 1) * query.per_page
      const rows = records.slice(start, start + query.per_page)
      return { rows: rows.map((record) => omitFields(record, query.omit)), total: records.length }
    },
    aggregate: async (query) => aggregateRecords(await findAll(query.where), query),
    listGroups: async (query) => {
      const matches = await findAll(query.where)
      const sections = query.sections.map(async (section) => {
        const ids = new Set((await findMatching(base, section.where, storeOf)).map(({ id }) => id))
        return { section, records: matches.filter(({ id }) => section.where.length === 0 || ids.has(id)) }
      })
      return (await Promise.all(sections)).flatMap(({ section, records }) =>
        groupRecords(sortRecords(records, section), section.keys, query),
      )
    },
    medianDuration: async ({ where, from, to }) => computeMedianDuration(await findAll(where), from, to),
    async insertMany(records) {
      await Promise.all(records.map((record) => base.insert(record)))
    },
  }
}

async function findMatching<R extends RecordBase>(
  base: BaseStore<R>,
  where: readonly Condition<R>[],
  storeOf: StoreOf,
): Promise<readonly R[]> {
  return base.find(await resolveConditions(where, storeOf))
}

/** Replaces conditions on other records by the ids that they match, or do not match, at any depth. */
function resolveConditions<R extends RecordBase>(
  where: readonly Condition<R>[],
  storeOf: StoreOf,
): Promise<OwnCondition<R>[]> {
  return Promise.all(where.map((condition) => resolveCondition(condition, storeOf)))
}

async function resolveCondition<R extends RecordBase>(
  condition: Condition<R>,
  storeOf: StoreOf,
): Promise<OwnCondition<R>> {
  if ('anyOf' in condition) return { anyOf: await resolveConditions(condition.anyOf, storeOf) }
  if ('allOf' in condition) return { allOf: await resolveConditions(condition.allOf, storeOf) }
  if ('not' in condition) return { not: await resolveCondition(condition.not, storeOf) }
  if ('whereRelated' in condition) {
    const { collection, where } = condition.whereRelated
    const related = await findMatching(storeOf(toCollection(collection)), where as AnyConditions, storeOf)
    return { field: condition.field, oneOf: related.map(({ id }) => id) }
  }
  if ('notExists' in condition) {
    const { collection, foreignKey, field, from, where = [] } = condition.notExists
    const conditions = [{ field, from }, ...where] as AnyConditions
    const referring = await findMatching(storeOf(toCollection(collection)), conditions, storeOf)
    const ids = new Set(referring.map((record) => record[foreignKey]).filter((id) => id !== null))
    return { not: { field: 'id', oneOf: [...ids].map(String) } }
  }
  return condition
}

type Sort<R> = SortKey<R> & Pick<ListQuery<R>, 'thenBy'>
/** What the keys of an order on other records compare, by the id of the record. */
type RelatedValues = ReadonlyMap<RelatedSortKey, ReadonlyMap<string, unknown>>

async function loadRelatedValues<R>({ thenBy, ...first }: Sort<R>, storeOf: StoreOf): Promise<RelatedValues> {
  const keys = [first, ...(thenBy ? [thenBy] : [])].flatMap(({ related }) => related ?? [])
  const entries = keys.map(async (key) => [key, await computeRelated(key, storeOf)] as const)
  return new Map(await Promise.all(entries))
}

async function computeRelated(
  { collection, foreignKey, aggregate, field, where }: RelatedSortKey,
  storeOf: StoreOf,
): Promise<ReadonlyMap<string, unknown>> {
  const referring = await findMatching(storeOf(toCollection(collection)), where as AnyConditions, storeOf)
  const byId = Map.groupBy(referring, (record) => String(record[foreignKey]))
  return new Map(
    [...byId].map(([id, records]) => {
      const values = records.map((record) => record[field])
      const sum = () => values.reduce((total: number, value) => total + Number(value), 0)
      return [id, aggregate === 'sum' ? sum() : values.map(String).toSorted().at(-1)]
    }),
  )
}

function sortRecords<R extends RecordBase>(
  records: readonly R[],
  { thenBy, ...first }: Sort<R>,
  relatedValues: RelatedValues = new Map(),
): R[] {
  const id: SortKey<R> = { order_by: 'id', order: first.order }
  const keys = [first, ...(thenBy ? [thenBy] : []), id].map(({ order, ...key }) => ({
    sign: order === 'asc' ? 1 : -1,
    read: (record: R) =>
      key.related ? (relatedValues.get(key.related)?.get(record.id) ?? null) : readSortValue(record, key),
  }))
  return [...records].sort((a, b) => {
    for (const { sign, read } of keys) {
      const order = sign * compare(read(a), read(b))
      if (order !== 0) return order
    }
    return 0
  })
}

function readSortValue<R extends RecordBase>(
  record: R,
  { order_by, member }: Omit<SortKey<R>, 'order'>,
): unknown {
  const value = record[order_by]
  if (!member) return value
  const members = (value ?? {}) as Readonly<Record<string, unknown>>
  const own = Object.hasOwn(members, member.name) ? members[member.name] : null
  return typeof own === (member.type === 'number' ? 'number' : 'string') ? own : null
}

function omitFields<R extends RecordBase>(record: R, omit: readonly (keyof R & string)[] = []): R {
  if (omit.length === 0) return record
  const fields = Object.entries(record).filter(([field]) => !omit.includes(field as keyof R & string))
  return Object.fromEntries(fields) as unknown as R
}
