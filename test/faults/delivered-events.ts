import { isMoved } from './stored-deals.ts'
import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/** An event and the name of its record at the time. */
type DeliveredEvent = readonly [event: string, id: string, name: string]

/**
 * Checks that each webhook has exactly one delivery for each subscribed event of each stored change, with the
 * record's name at that time. Finished deliveries are retained for weeks, so none may be missing.
 * @throws Error naming a missing or surplus event
 */
export function expectDeliveredEvents(
  stored: StoredRecords,
  { tasks }: Pick<AcknowledgedWrites, 'tasks'>,
): void {
  const expectedEvents = [...listTaskEvents(stored, tasks), ...listDealEvents(stored)]
  const snapshots = new Map(stored.snapshots.map(({ id, entity }) => [id, entity]))
  for (const { id, events, url } of stored.webhooks) {
    const deliveries = stored.deliveries.filter(({ webhook_id }) => webhook_id === id)
    const found = deliveries.map(({ event, snapshot_id }) =>
      formatLine(event, ...readEntity(snapshots.get(snapshot_id))),
    )
    const expectedLines = expectedEvents
      .filter(([event]) => (events as readonly string[]).includes(event))
      .map((each) => formatLine(...each))
    const [missing] = subtract(expectedLines, found)
    if (missing !== undefined) throw new Error(`${url} lacks a delivery: ${missing}`)
    const [surplus] = subtract(found, expectedLines)
    if (surplus !== undefined)
      throw new Error(`${url} has a delivery of a change that is not stored: ${surplus}`)
  }
}

function listTaskEvents(stored: StoredRecords, tasks: AcknowledgedWrites['tasks']): DeliveredEvent[] {
  return stored.tasks.flatMap(({ id, title }) => {
    const known = tasks.get(id)
    const knownTitles = known ? known.titles : [title]
    const allTitles = knownTitles.at(-1) === title ? knownTitles : [...knownTitles, title]
    return allTitles.map(
      (each, index): DeliveredEvent => [index === 0 ? 'task.created' : 'task.updated', id, each],
    )
  })
}

function listDealEvents(stored: StoredRecords): DeliveredEvent[] {
  const peopleIds = new Set(stored.people.map(({ id }) => id))
  const people = stored.people.map(({ id, full_name }): DeliveredEvent => ['person.created', id, full_name])
  const deals = stored.deals.flatMap((deal): DeliveredEvent[] => {
    const createLines = (...events: readonly string[]) =>
      events.map((event): DeliveredEvent => [event, deal.id, deal.name])
    return [
      ...createLines('deal.created'),
      ...(deal.person_id !== null && peopleIds.has(deal.person_id) ? createLines('deal.updated') : []),
      ...(isMoved(stored, deal) ? createLines('deal.updated', 'deal.stage_changed') : []),
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

/** Parses a snapshot, which is stored without its opening brace. */
function readEntity(entity: string | undefined): readonly [id: string, name: string] {
  if (entity === undefined) throw new Error('A delivery has no snapshot.')
  const [entityRecord] = Object.values(JSON.parse(`{${entity}`) as Readonly<Record<string, Entity>>)
  return [entityRecord!.id, entityRecord!.title ?? entityRecord!.full_name ?? entityRecord!.name ?? '']
}

function formatLine(event: string, id: string, name: string): string {
  return `${event} of ${id}, ${name}`
}

/** Returns the lines without the others. Each occurrence counts. */
function subtract(lines: readonly string[], others: readonly string[]): string[] {
  const remaining = new Map<string, number>()
  for (const each of others) remaining.set(each, (remaining.get(each) ?? 0) + 1)
  return lines.filter((each) => {
    const count = remaining.get(each) ?? 0
    remaining.set(each, count - 1)
    return count <= 0
  })
}
