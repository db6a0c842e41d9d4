import type { Instant, NewId } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { Tells } from '../records/resource.ts'
import type { Unit } from '../records/unit.ts'
import type { Delivery } from './delivery.ts'
import type { EventName } from './event-names.ts'
import type { Snapshot } from './snapshot.ts'
import type { Webhook } from './webhook.ts'

/** What a change is to subscribers: events of one entity, each told with the same snapshot, taken in the change's transaction. */
interface Told {
  readonly events: readonly EventName[]
  /** The entity under its key: `{ task: … }`. */
  readonly snapshot: object
}

export interface Stamp {
  readonly at: Instant
  readonly newId: NewId
}

/** The webhooks of a workspace, to be asked for together with what else a change reads. There are none in most. */
export function subscribersOf({ stores }: Unit): Promise<readonly Webhook[]> {
  return stores.webhooks.find([])
}

/** As `subscribersOf`, for a change of one kind of record. Nobody is asked for where the kind tells nothing. */
export async function subscribersTo<Detail>({ snapshot }: Pick<Tells<Detail>, 'snapshot'>, unit: Unit): Promise<readonly Webhook[]> {
  return snapshot === null ? [] : subscribersOf(unit)
}

/**
 * How a record is seen on either side of a change: no `before` for a creation, no `after` for a deletion. Both are asked for only where
 * somebody listens, and not before then: `before` is the record as it was, among others as they are by now.
 */
interface Seen<Detail> {
  readonly before?: () => Promise<Detail>
  readonly after?: () => Promise<Detail>
}

/** Tells of one record's change: with what it is now, or was last. */
export async function emitChange<Detail>(
  { events, snapshot }: Tells<Detail>,
  seen: Seen<Detail>,
  webhooks: readonly Webhook[],
  unit: Unit,
  stamp: Stamp,
): Promise<void> {
  if (snapshot === null) return
  const told = async () => {
    const [before, after] = await Promise.all([seen.before?.(), seen.after?.()])
    return { events: events(before, after), snapshot: snapshot((after ?? before)!) }
  }
  await emit(webhooks, told, unit, stamp)
}

/**
 * Puts a change in the outbox: its snapshot, and one delivery for each event and subscribed webhook. Where there are no webhooks at all
 * `told` is not called. An app that holds no grant in the workspace any more is told nothing.
 */
export function emit(webhooks: readonly Webhook[], told: () => Promise<Told>, unit: Unit, stamp: Stamp): Promise<void> {
  return emitAll(webhooks, async () => [await told()], unit, stamp)
}

/** As `emit`, for changes of one transaction: few enough for all of their text to be held at once. */
export async function emitAll(webhooks: readonly Webhook[], told: () => Promise<readonly Told[]>, unit: Unit, stamp: Stamp): Promise<void> {
  if (webhooks.length === 0) return
  const changes = await told()
  const names = new Set(changes.flatMap(({ events }) => events))
  const subscribed = webhooks.filter(({ events }) => events.some((name) => names.has(name)))
  if (subscribed.length === 0) return
  const admitted = await withAccess(subscribed, unit)
  const tellings = changes.map((change) => tellingOf(change, admitted)).filter(({ to }) => to.length > 0)
  if (tellings.length === 0) return
  await putOut(tellings, unit, stamp)
  unit.wake()
}

function tellingOf({ events, snapshot }: Told, webhooks: readonly Webhook[]): Telling {
  const to = events.flatMap((event) =>
    webhooks.filter((webhook) => webhook.events.includes(event)).map(({ id: webhook_id }) => ({ webhook_id, event })),
  )
  return { snapshot, to }
}

async function putOut(tellings: readonly Telling[], { stores }: Unit, stamp: Stamp): Promise<void> {
  const made = tellings.map((telling) => outgoing(telling, stamp))
  await Promise.all([
    stores.snapshots.insertMany(made.map(({ snapshot }) => snapshot)),
    stores.deliveries.insertMany(made.flatMap(({ deliveries }) => deliveries)),
  ])
}

/** Those whose app still holds a grant. A program that embeds the core, and the workspace itself, need none. */
export async function withAccess(webhooks: readonly Webhook[], { stores }: Pick<Unit, 'stores'>): Promise<readonly Webhook[]> {
  const apps = [...new Set(webhooks.flatMap(({ client_id }) => (client_id !== null && isUuid(client_id) ? [client_id] : [])))]
  const held = await Promise.all(
    apps.map((client_id) =>
      stores.grants.has([
        { field: 'client_id', is: client_id },
        { field: 'revoked_at', is: null },
      ]),
    ),
  )
  const refused = new Set(apps.filter((_, index) => !held[index]))
  return webhooks.filter(({ client_id }) => client_id === null || !refused.has(client_id))
}

/** What is told of one change, and to whom. */
interface Telling {
  readonly snapshot: object
  readonly to: readonly Pick<Delivery, 'webhook_id' | 'event'>[]
}

interface Outgoing {
  readonly snapshot: Snapshot
  readonly deliveries: readonly Delivery[]
}

/** The snapshot that is kept once, and the deliveries that tell of it, due at once. */
export function outgoing({ snapshot, to }: Telling, { at, newId }: Stamp): Outgoing {
  const stamps = { created_at: at, updated_at: at }
  const snapshot_id = newId()
  const deliveries = to.map(
    ({ webhook_id, event }): Delivery => ({
      id: newId(),
      webhook_id,
      event,
      snapshot_id,
      status: 'pending',
      reason: null,
      attempts: [],
      attempts_count: 0,
      last_attempt: false,
      due_at: at,
      sending: false,
      lease: 0,
      ...stamps,
    }),
  )
  return { snapshot: { id: snapshot_id, entity: JSON.stringify(snapshot).slice(1), ...stamps }, deliveries }
}
