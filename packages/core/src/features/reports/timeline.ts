import type * as v from 'valibot'
import { loadRecord } from '../../engine/load-record.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import { activities } from '../activities/activity.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { loadStageMoveViews } from '../deals/stage-move.ts'
import { people } from '../people/person.ts'
import { tasks } from '../tasks/task.ts'
import { timelineInput } from './report-inputs.ts'
import type { OmittedKind, Timeline, TimelineEntry, TimelineKind } from './report-views.ts'

const RESOURCES = { people, companies, deals }
/** The field of other records that refers to the entity. */
const REFERENCE_FIELDS = { people: 'person_id', companies: 'company_id', deals: 'deal_id' } as const

type ParsedTimelineInput = v.InferOutput<typeof timelineInput>

/** The newest entries of one kind, up to the limit. */
interface NewestEntries {
  readonly total: number
  readonly stamps: readonly { readonly id: string; readonly created_at: Instant }[]
  /** Loads the views of the first `count` entries. */
  load(count: number): Promise<readonly TimelineEntry[]>
}

interface Source {
  readonly kind: TimelineKind
  readonly scope: string
  /** Returns undefined if the entity cannot have entries of this kind. */
  loadNewest(input: ParsedTimelineInput, unit: WorkspaceTransaction): Promise<NewestEntries> | undefined
}

const SOURCES: readonly Source[] = [
  {
    kind: 'activity',
    scope: activities.scopes.read,
    loadNewest: ({ entity, id, ...range }, unit) =>
      loadNewestEntries(
        unit.stores.activities,
        { field: REFERENCE_FIELDS[entity], is: id },
        range,
        async (rows) => {
          const views = await activities.listView(rows, unit)
          return views.map((activity) => ({ at: activity.created_at, kind: 'activity', activity }))
        },
      ),
  },
  {
    kind: 'task',
    scope: tasks.scopes.read,
    loadNewest: ({ entity, id, ...range }, unit) =>
      loadNewestEntries(
        unit.stores.tasks,
        { field: REFERENCE_FIELDS[entity], is: id },
        range,
        async (rows) => {
          const views = await tasks.listView(rows, unit)
          return views.map((task) => ({ at: task.created_at, kind: 'task', task }))
        },
      ),
  },
  {
    kind: 'stage_move',
    scope: deals.scopes.read,
    loadNewest: ({ entity, id, ...range }, unit) =>
      loadNewestEntries(
        unit.stores.stage_moves,
        entity === 'deals'
          ? { field: 'deal_id', is: id }
          : {
              field: 'deal_id',
              whereRelated: { collection: 'deals', field: REFERENCE_FIELDS[entity], is: id },
            },
        range,
        async (rows) => {
          const views = await loadStageMoveViews(rows, unit)
          return views.map((stage_move) => ({ at: stage_move.created_at, kind: 'stage_move', stage_move }))
        },
      ),
  },
  {
    kind: 'deal',
    scope: deals.scopes.read,
    loadNewest: ({ entity, id, ...range }, unit) =>
      entity === 'deals'
        ? undefined
        : loadNewestEntries(
            unit.stores.deals,
            { field: REFERENCE_FIELDS[entity], is: id },
            range,
            async (rows) => {
              const views = await deals.listView(rows, unit)
              return views.map((deal) => ({ at: deal.created_at, kind: 'deal', deal }))
            },
          ),
  },
]

export async function timeline(
  { storage }: Pick<Ports, 'storage'>,
  actor: Actor,
  input: unknown,
): Promise<Timeline> {
  const parsed = validate(timelineInput, input)
  const { entity, id, limit } = parsed
  requireScope(actor, RESOURCES[entity].scopes.read)
  return storage.read(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    await loadRecord<RecordBase>(RESOURCES[entity], id, unit)
    const canRead = ({ scope }: Source) => actor.scopes.has(scope)
    const sources = (
      await Promise.all(SOURCES.filter(canRead).map((source) => source.loadNewest(parsed, unit)))
    ).filter((entry) => entry !== undefined)
    const newest = sources
      .flatMap((source) => source.stamps.map((stamp) => ({ source, stamp })))
      .sort((a, b) => compareNewestFirst(a.stamp, b.stamp))
      .slice(0, limit)
    const bySource = Map.groupBy(newest, ({ source }) => source)
    const entries = await Promise.all(sources.map((source) => source.load(bySource.get(source)?.length ?? 0)))
    // The entries of each source are already in order, so the next entry of a source is its first one left.
    const iterators = new Map(sources.map((source, nth) => [source, entries[nth]!.values()]))
    const data = newest.map(({ source }) => iterators.get(source)!.next().value!)
    const total = sources.reduce((sum, source) => sum + source.total, 0)
    return {
      data,
      meta: { total, limit, has_more: total > data.length, left_out: omittedKinds(parsed, actor) },
    }
  })
}

function omittedKinds({ entity }: ParsedTimelineInput, actor: Actor): OmittedKind[] {
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
  { since, limit }: Pick<ParsedTimelineInput, 'since' | 'limit'>,
  loadViews: (rows: readonly R[]) => Promise<readonly TimelineEntry[]>,
): Promise<NewestEntries> {
  const where: Condition<R>[] =
    since === undefined ? [condition] : [condition, { field: 'created_at', from: since }]
  const { rows, total } = await store.list({
    page: 1,
    per_page: limit,
    order_by: 'created_at',
    order: 'desc',
    where,
  })
  return { total, stamps: rows, load: (count) => loadViews(rows.slice(0, count)) }
}

function compareNewestFirst(a: NewestEntries['stamps'][number], b: NewestEntries['stamps'][number]): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
