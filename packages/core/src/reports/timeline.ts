import type * as v from 'valibot'
import { activities } from '../activities/activity.ts'
import { type Actor, authorize } from '../actor.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { stageMoveViews } from '../deals/stage-move.ts'
import { people } from '../people/person.ts'
import type { Condition, Instant, Ports, RecordBase, RecordStore } from '../ports.ts'
import { existing } from '../records/existing.ts'
import { validate } from '../records/input.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { tasks } from '../tasks/task.ts'
import { timelineInput } from './inputs.ts'
import type { LeftOut, Timeline, TimelineEntry, TimelineKind } from './views.ts'

const RESOURCES = { people, companies, deals }
/** The field by which other records name each entity. */
const FIELDS = { people: 'person_id', companies: 'company_id', deals: 'deal_id' } as const

type Asked = v.InferOutput<typeof timelineInput>

/** The newest of one kind, so many as may be shown. */
interface Newest {
  readonly total: number
  readonly stamps: readonly { readonly id: string; readonly created_at: Instant }[]
  /** The first of them as they are shown. */
  shown(many: number): Promise<readonly TimelineEntry[]>
}

interface Source {
  readonly kind: TimelineKind
  readonly scope: string
  /** Undefined where the entity has none of the kind. */
  newest(asked: Asked, unit: Unit): Promise<Newest> | undefined
}

const SOURCES: readonly Source[] = [
  {
    kind: 'activity',
    scope: activities.scopes.read,
    newest: ({ entity, id, ...asked }, unit) =>
      newestOf(unit.stores.activities, { field: FIELDS[entity], is: id }, asked, async (rows) => {
        const views = await activities.listView(rows, unit)
        return views.map((activity) => ({ at: activity.created_at, kind: 'activity', activity }))
      }),
  },
  {
    kind: 'task',
    scope: tasks.scopes.read,
    newest: ({ entity, id, ...asked }, unit) =>
      newestOf(unit.stores.tasks, { field: FIELDS[entity], is: id }, asked, async (rows) => {
        const views = await tasks.listView(rows, unit)
        return views.map((task) => ({ at: task.created_at, kind: 'task', task }))
      }),
  },
  {
    kind: 'stage_move',
    scope: deals.scopes.read,
    newest: ({ entity, id, ...asked }, unit) =>
      newestOf(
        unit.stores.stage_moves,
        entity === 'deals'
          ? { field: 'deal_id', is: id }
          : { field: 'deal_id', leadsTo: { collection: 'deals', field: FIELDS[entity], is: id } },
        asked,
        async (rows) => {
          const views = await stageMoveViews(rows, unit)
          return views.map((stage_move) => ({ at: stage_move.created_at, kind: 'stage_move', stage_move }))
        },
      ),
  },
  {
    kind: 'deal',
    scope: deals.scopes.read,
    newest: ({ entity, id, ...asked }, unit) =>
      entity === 'deals'
        ? undefined
        : newestOf(unit.stores.deals, { field: FIELDS[entity], is: id }, asked, async (rows) => {
            const views = await deals.listView(rows, unit)
            return views.map((deal) => ({ at: deal.created_at, kind: 'deal', deal }))
          }),
  },
]

export async function timeline({ storage }: Pick<Ports, 'storage'>, actor: Actor, input: unknown): Promise<Timeline> {
  const asked = validate(timelineInput, input)
  const { entity, id, limit } = asked
  authorize(actor, RESOURCES[entity].scopes.read)
  return storage.read(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    await existing<RecordBase>(RESOURCES[entity], id, unit, 'get')
    const mayRead = ({ scope }: Source) => actor.scopes.has(scope)
    const found = (await Promise.all(SOURCES.filter(mayRead).map((source) => source.newest(asked, unit)))).filter(
      (each) => each !== undefined,
    )
    const newest = found
      .flatMap((source) => source.stamps.map((stamp) => ({ source, stamp })))
      .sort((a, b) => byNewest(a.stamp, b.stamp))
      .slice(0, limit)
    const counted = Map.groupBy(newest, ({ source }) => source)
    const shown = await Promise.all(found.map((source) => source.shown(counted.get(source)?.length ?? 0)))
    // Each kind's own are in order already: what is next of a kind is the first that is left of it.
    const left = new Map(found.map((source, nth) => [source, shown[nth]!.values()]))
    const data = newest.map(({ source }) => left.get(source)!.next().value!)
    const total = found.reduce((sum, source) => sum + source.total, 0)
    return { data, meta: { total, limit, has_more: total > data.length, left_out: leftOut(asked, actor) } }
  })
}

function leftOut({ entity }: Asked, actor: Actor): LeftOut[] {
  return SOURCES.filter(({ kind, scope }) => !actor.scopes.has(scope) && !(kind === 'deal' && entity === 'deals')).map(
    ({ kind, scope }) => ({
      kind,
      scope,
    }),
  )
}

async function newestOf<R extends RecordBase>(
  store: RecordStore<R>,
  of: Condition<R>,
  { since, limit }: Pick<Asked, 'since' | 'limit'>,
  view: (rows: readonly R[]) => Promise<readonly TimelineEntry[]>,
): Promise<Newest> {
  const where: Condition<R>[] = since === undefined ? [of] : [of, { field: 'created_at', from: since }]
  const { rows, total } = await store.list({ page: 1, per_page: limit, order_by: 'created_at', order: 'desc', where })
  return { total, stamps: rows, shown: (many) => view(rows.slice(0, many)) }
}

function byNewest(a: Newest['stamps'][number], b: Newest['stamps'][number]): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
