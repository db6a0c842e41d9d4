import type { FaultEnvironment } from './environment.ts'
import type { ReceivedDelivery } from './receiver-process.ts'

/** Until when deliveries are held, by id, each time that was looked: in milliseconds, in order. */
export type Leases = Map<string, number[]>

/** Notes what is held at the moment, so that it can be told whether anybody sent it before he might. */
export async function noteLeases(place: FaultEnvironment, leases: Leases): Promise<void> {
  for (const { id, due_at } of await findLeased(place)) {
    const until = Date.parse(due_at ?? '')
    const known = leases.get(id) ?? []
    if (!known.includes(until)) leases.set(id, [...known, until])
  }
}

/**
 * @throws Error when a delivery was sent again by others than who took it over once a noted lease had ended
 */
export function expectSentOnce(
  heard: readonly ReceivedDelivery[],
  leases: ReadonlyMap<string, readonly number[]>,
): { readonly again: number } {
  let again = 0
  for (const [id, arrivals] of Map.groupBy(heard, (each) => each.id)) {
    for (const [index, { at }] of arrivals.slice(1).entries()) {
      const until = leases.get(id)?.[index]
      if (until === undefined)
        throw new Error(
          `Delivery ${id} was sent ${arrivals.length} times, and nobody was killed that held it.`,
        )
      if (at < until)
        throw new Error(`Delivery ${id} was sent again ${until - at} ms before its lease ended.`)
      again += 1
    }
  }
  return { again }
}

/**
 * Waits until everything that is kept was sent and noted, but for what somebody holds who is gone.
 * @throws Error when it takes too long
 */
export async function waitUntilSent(
  place: FaultEnvironment,
  butFor: ReadonlyMap<string, unknown>,
  withinMs: number,
): Promise<void> {
  const latest = performance.now() + withinMs
  for (;;) {
    const left = await place.look(({ storage }) => {
      return storage.read((tx) =>
        tx.workspace(place.workspaceId).deliveries.find([{ field: 'status', is: 'pending' }]),
      )
    })
    const waiting = left.filter(({ id, sending }) => !(sending && butFor.has(id)))
    if (waiting.length === 0) return
    if (performance.now() > latest)
      throw new Error(`${waiting.length} deliveries were not sent within ${withinMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Has the leases that are held end now, as if their time had come. */
export async function endLeases(place: FaultEnvironment, leases: Leases): Promise<void> {
  const now = Date.now()
  await place.look(({ storage }) =>
    storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(place.workspaceId)
      for (const { id } of await deliveries.find([{ field: 'sending', is: true }])) {
        const before = (await deliveries.getForUpdate(id))!
        await deliveries.update({ ...before, due_at: new Date(now).toISOString() }, before)
        leases.set(id, [...(leases.get(id) ?? []).slice(0, -1), now])
      }
    }),
  )
}

function findLeased(place: FaultEnvironment) {
  return place.look(({ storage }) => {
    return storage.read((tx) =>
      tx.workspace(place.workspaceId).deliveries.find([{ field: 'sending', is: true }]),
    )
  })
}
