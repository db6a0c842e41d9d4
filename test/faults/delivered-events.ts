import { isMoved } from './stored-deals.ts'
import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/** An event of a record, with what the record was called at the time. */
type EventLine = readonly [event: string, id: string, name: string]

/**
 * Each webhook must have one delivery for each event it asked for of each write that is there, and no other:
 * those that are over are kept for weeks. What the events tell of the record must be what it was then.
 * @throws Error that names an event that is missing, or too many
 */
export function expectDeliveredEvents(
  kept: StoredRecords,
  { tasks }: Pick<AcknowledgedWrites, 'tasks'>,
): void {
  const owed = [...taskEvents(kept, tasks), ...dealEvents(kept)]
  const snapshots = new Map(kept.snapshots.map(({ id, entity }) => [id, entity]))
  for (const { id, events, url } of kept.webhooks) {
    const deliveries = kept.deliveries.filter(({ webhook_id }) => webhook_id === id)
    const told = deliveries.map(({ event, snapshot_id }) =>
      formatLine(event, ...readEntity(snapshots.get(snapshot_id))),
    )
    const due = owed
      .filter(([event]) => (events as readonly string[]).includes(event))
      .map((each) => formatLine(...each))
    const [missing] = subtract(due, told)
    if (missing !== undefined) throw new Error(`${url} is not told of it: ${missing}`)
    const [needless] = subtract(told, due)
    if (needless !== undefined) throw new Error(`${url} is told of it, and it is not there: ${needless}`)
  }
}

function taskEvents(kept: StoredRecords, tasks: AcknowledgedWrites['tasks']): EventLine[] {
  return kept.tasks.flatMap(({ id, title }) => {
    const known = tasks.get(id)
    const told = known ? known.told : [title]
    const titles = told.at(-1) === title ? told : [...told, title]
    return titles.map((each, index): EventLine => [index === 0 ? 'task.created' : 'task.updated', id, each])
  })
}

function dealEvents(kept: StoredRecords): EventLine[] {
  const linked = new Set(kept.people.map(({ id }) => id))
  const people = kept.people.map(({ id, full_name }): EventLine => ['person.created', id, full_name])
  const deals = kept.deals.flatMap((deal): EventLine[] => {
    const of = (...events: readonly string[]) => events.map((event): EventLine => [event, deal.id, deal.name])
    return [
      ...of('deal.created'),
      ...(deal.person_id !== null && linked.has(deal.person_id) ? of('deal.updated') : []),
      ...(isMoved(kept, deal) ? of('deal.updated', 'deal.stage_changed') : []),
    ]
  })
  return [...people, ...deals]
}

interface Entity {
  readonly id: string
  readonly title?: string
  readonly name?: string
  readonly full_name?: string
}

/** Its text begins after the brace. */
function readEntity(entity: string | undefined): readonly [id: string, name: string] {
  if (entity === undefined) throw new Error('A delivery has lost what it tells.')
  const [seen] = Object.values(JSON.parse(`{${entity}`) as Readonly<Record<string, Entity>>)
  return [seen!.id, seen!.title ?? seen!.full_name ?? seen!.name ?? '']
}

function formatLine(event: string, id: string, name: string): string {
  return `${event} of ${id}, ${name}`
}

/** The first list without what is in the second, each as often as it is there. */
function subtract(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1)
  return lines.filter((each) => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}
