import type { FaultEnvironment } from './environment.ts'
import type { ReceivedDelivery } from './receiver-process.ts'

/** The ends of a delivery's leases in milliseconds, by delivery id, in the order observed. */
export type Leases = Map<string, number[]>

/**
 * Records the current leases, for a later check that no delivery was sent again before its lease had ended.
 */
export async function noteLeases(environment: FaultEnvironment, leases: Leases): Promise<void> {
  for (const { id, due_at } of await findLeased(environment)) {
    const leaseEnd = Date.parse(due_at ?? '')
    const known = leases.get(id) ?? []
    if (!known.includes(leaseEnd)) leases.set(id, [...known, leaseEnd])
  }
}

/** A time in which the database may lose claims that are acknowledged, in milliseconds since the epoch. */
export interface ClaimLoss {
  readonly from: number
  readonly until: number
}

/**
 * Checks that each delivery was sent once, except again after the end of a recorded lease, or after the loss of its
 * claim.
 * @returns the number of repeated deliveries
 * @throws Error otherwise
 */
export function expectSentOnce(
  deliveries: readonly ReceivedDelivery[],
  leases: ReadonlyMap<string, readonly number[]>,
  claimLosses: readonly ClaimLoss[] = [],
): { readonly redeliveries: number; readonly lostClaims: number } {
  let redeliveries = 0
  let lostClaims = 0
  for (const [id, arrivals] of Map.groupBy(deliveries, (each) => each.id)) {
    for (const [index, { at }] of arrivals.slice(1).entries()) {
      const before = arrivals[index]!.at
      if (claimLosses.some(({ from, until }) => from <= before && before <= until)) {
        lostClaims += 1
        continue
      }
      const leaseEnd = leases.get(id)?.[index]
      if (leaseEnd === undefined)
        throw new Error(`Delivery ${id} was sent ${arrivals.length} times without an expired lease.`)
      if (at < leaseEnd)
        throw new Error(`Delivery ${id} was sent again ${leaseEnd - at} ms before its lease ended.`)
      redeliveries += 1
    }
  }
  return { redeliveries, lostClaims }
}

/**
 * Waits until every delivery was sent and its outcome saved, except those leased and listed in `exceptions`.
 * @throws Error after the timeout
 */
export async function waitUntilSent(
  environment: FaultEnvironment,
  exceptions: ReadonlyMap<string, unknown>,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const pending = await environment.withCore(({ storage }) => {
      return storage.read((tx) =>
        tx.workspace(environment.workspaceId).deliveries.find([{ field: 'status', is: 'pending' }]),
      )
    })
    const unsent = pending.filter(({ id, sending }) => !(sending && exceptions.has(id)))
    if (unsent.length === 0) return
    if (performance.now() > deadline)
      throw new Error(`${unsent.length} deliveries were not sent within ${timeoutMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Ends the current leases now, as if they had expired. */
export async function endLeases(environment: FaultEnvironment, leases: Leases): Promise<void> {
  const now = Date.now()
  await environment.withCore(({ storage }) =>
    storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(environment.workspaceId)
      for (const { id } of await deliveries.find([{ field: 'sending', is: true }])) {
        const before = (await deliveries.getForUpdate(id))!
        await deliveries.update({ ...before, due_at: new Date(now).toISOString() })
        leases.set(id, [...(leases.get(id) ?? []).slice(0, -1), now])
      }
    }),
  )
}

function findLeased(environment: FaultEnvironment) {
  return environment.withCore(({ storage }) => {
    return storage.read((tx) =>
      tx.workspace(environment.workspaceId).deliveries.find([{ field: 'sending', is: true }]),
    )
  })
}
