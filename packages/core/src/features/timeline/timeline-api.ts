import * as v from 'valibot'
import { integerParameter } from '../../engine/list-query.ts'
import { loadRecord } from '../../engine/load-record.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { instant } from '../../kernel/field-schemas.ts'
import { changeable, object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Condition, NamedCondition, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import { whereLinkedTo } from '../../schema/link-lists.ts'
import { activities } from '../activities/activity.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { loadStageMoveViews } from '../deals/stage-move.ts'
import { people } from '../people/person.ts'
import { tasks } from '../tasks/task.ts'
import { comparePlaces, formatCursor, type TimelinePlace, timelineCursor } from './timeline-cursor.ts'
import type { OmittedKind, Timeline, TimelineEntry, TimelineKind } from './timeline-views.ts'

const RESOURCES = { people, companies, deals }
/** The field of other records that refers to the entity. */
const REFERENCE_FIELDS = { people: 'person_id', companies: 'company_id', deals: 'deal_id' } as const

type Entity = keyof typeof RESOURCES

/** The schema of `TimelineQuery`. */
export const timelineQuery = object({
  ...changeable({ since: instant, cursor: timelineCursor }),
  limit: v.optional(integerParameter({ min: 1, max: 100, message: 'Must be between 1 and 100.' }), 20),
})

/**
 * The query of a timeline: the instant of the oldest entries (inclusive), the `next_cursor` of the entries before,
 * and a limit of 1 to 100 (default 20).
 */
export type TimelineQuery = v.InferInput<typeof timelineQuery>

/** What happened on a record, such as `crm.people.timeline`. */
export interface TimelineApi {
  /**
   * Returns the activities, tasks, stage moves and deals of a record, the newest first. Kinds that the actor
   * cannot read are left out, and named in `meta.left_out`.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`
   */
  timeline(actor: Actor, id: string, query?: TimelineQuery): Promise<Timeline>
}

/** The record and the query of a timeline. */
interface TimelineRequest extends v.InferOutput<typeof timelineQuery> {
  readonly entity: Entity
  readonly id: string
}

/** The newest entries of one kind from the cursor on, up to the limit. */
interface NewestEntries {
  readonly total: number
  readonly places: readonly TimelinePlace[]
  /** Loads the views of the first `count` entries. */
  load(count: number): Promise<readonly TimelineEntry[]>
}

interface Source {
  readonly kind: TimelineKind
  readonly scope: string
  /** Returns undefined if the entity cannot have entries of this kind. */
  loadNewest(request: TimelineRequest, transaction: ViewTransaction): Promise<NewestEntries> | undefined
}

const SOURCES: readonly Source[] = [
  {
    kind: 'activity',
    scope: activities.scopes.read,
    loadNewest: ({ entity, id, ...range }, transaction) =>
      loadNewestEntries(
        transaction.stores.activities,
        { field: REFERENCE_FIELDS[entity], is: id },
        range,
        async (rows) => {
          const views = await activities.listView(rows, transaction)
          return views.map((activity) => ({ at: activity.created_at, kind: 'activity', activity }))
        },
      ),
  },
  {
    kind: 'task',
    scope: tasks.scopes.read,
    loadNewest: ({ entity, id, ...range }, transaction) =>
      loadNewestEntries(
        transaction.stores.tasks,
        { field: REFERENCE_FIELDS[entity], is: id },
        range,
        async (rows) => {
          const views = await tasks.listView(rows, transaction)
          return views.map((task) => ({ at: task.created_at, kind: 'task', task }))
        },
      ),
  },
  {
    kind: 'stage_move',
    scope: deals.scopes.read,
    loadNewest: ({ entity, id, ...range }, transaction) =>
      loadNewestEntries(
        transaction.stores.stage_moves,
        entity === 'deals'
          ? { field: 'deal_id', is: id }
          : {
              field: 'deal_id',
              whereRelated: { collection: 'deals', where: [linkedDeals(entity, id)] },
            },
        range,
        async (rows) => {
          const views = await loadStageMoveViews(rows, transaction)
          return views.map((stage_move) => ({ at: stage_move.created_at, kind: 'stage_move', stage_move }))
        },
      ),
  },
  {
    kind: 'deal',
    scope: deals.scopes.read,
    loadNewest: ({ entity, id, ...range }, transaction) =>
      entity === 'deals'
        ? undefined
        : loadNewestEntries(
            transaction.stores.deals,
            linkedDeals(entity, id) as Condition<Deal>,
            range,
            async (rows) => {
              const views = await deals.listView(rows, transaction)
              return views.map((deal) => ({ at: deal.created_at, kind: 'deal', deal }))
            },
          ),
  },
]

/** The deals of a person or company, whatever the role of the person. */
function linkedDeals(entity: Entity, id: string): NamedCondition {
  return whereLinkedTo('deals', REFERENCE_FIELDS[entity], [id])
}

export function timelineApi(entity: Entity, ports: Pick<Ports, 'storage' | 'issuer' | 'now'>): TimelineApi {
  return {
    async timeline(actor, id, query = {}) {
      requireScope(actor, RESOURCES[entity].scopes.read)
      const parsed = validate(timelineQuery, query, 'parameter')
      return readWorkspace(ports, actor, async (transaction) => {
        const record = await loadRecord<RecordBase>(RESOURCES[entity], id, transaction)
        return loadTimeline({ ...parsed, entity, id: record.id }, actor, transaction)
      })
    },
  }
}

async function loadTimeline(
  request: TimelineRequest,
  actor: Actor,
  transaction: ViewTransaction,
): Promise<Timeline> {
  const { limit } = request
  const canRead = ({ scope }: Source) => actor.scopes.has(scope)
  const sources = (
    await Promise.all(SOURCES.filter(canRead).map((source) => source.loadNewest(request, transaction)))
  ).filter((entry) => entry !== undefined)
  const newest = sources
    .flatMap((source) => source.places.map((place) => ({ source, place })))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .slice(0, limit)
  const bySource = Map.groupBy(newest, ({ source }) => source)
  const entries = await Promise.all(sources.map((source) => source.load(bySource.get(source)?.length ?? 0)))
  // The entries of each source are already in order, so the next entry of a source is its first one left.
  const iterators = new Map(sources.map((source, nth) => [source, entries[nth]!.values()]))
  const data = newest.map(({ source }) => iterators.get(source)!.next().value!)
  const total = sources.reduce((sum, source) => sum + source.total, 0)
  const has_more = total > data.length
  const next_cursor = has_more ? formatCursor(newest.at(-1)!.place) : null
  return { data, meta: { total, limit, has_more, next_cursor, left_out: omittedKinds(request, actor) } }
}

function omittedKinds({ entity }: TimelineRequest, actor: Actor): OmittedKind[] {
  return SOURCES.filter(
    ({ kind, scope }) => !actor.scopes.has(scope) && !(kind === 'deal' && entity === 'deals'),
  ).map(({ kind, scope }) => ({
    kind,
    scope,
  }))
}

async function loadNewestEntries<R extends RecordBase>(
  store: RecordStore<R>,
  condition: Condition<R>,
  { since, cursor, limit }: Pick<TimelineRequest, 'since' | 'cursor' | 'limit'>,
  loadViews: (rows: readonly R[]) => Promise<readonly TimelineEntry[]>,
): Promise<NewestEntries> {
  const where: readonly Condition<R>[] = [
    condition,
    ...(since === undefined ? [] : [{ field: 'created_at', from: since } as const]),
    ...(cursor === undefined ? [] : [{ field: 'created_at', to: cursor.created_at } as const]),
  ]
  const entries: R[] = []
  let skipped = 0
  // The entries of the cursor's own instant come first, also those before the cursor.
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: limit, order_by: 'created_at', order: 'desc', where } as const
    const { rows, total } = await store.list(query)
    const after = cursor ? rows.filter((row) => comparePlaces(cursor, row) < 0) : rows
    entries.push(...after)
    skipped += rows.length - after.length
    if (entries.length >= limit || page * limit >= total)
      return {
        total: total - skipped,
        places: entries.slice(0, limit),
        load: (count) => loadViews(entries.slice(0, count)),
      }
  }
}
