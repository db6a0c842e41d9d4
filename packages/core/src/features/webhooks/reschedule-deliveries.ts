import { addSeconds, type Instant, MINUTE } from '../../kernel/instant.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { DeliveryPolicy } from './delivery-types.ts'

const BATCH_SIZE = 300
/** Clocks of different machines may differ by this much. */
const TOLERANCE_SECONDS = MINUTE

/** Notices that the clock was set back by more than `TOLERANCE_SECONDS`. */
export class ClockWatch {
  #latest: Instant | undefined

  /** True for the first instant, since the clock may have been set back before. */
  isSetBack(at: Instant): boolean {
    const isSetBack = this.#latest === undefined || at < addSeconds(this.#latest, -TOLERANCE_SECONDS)
    if (isSetBack || at > this.#latest!) this.#latest = at
    return isSetBack
  }
}

/**
 * Makes deliveries due that wait longer than their schedule provides, because the clock was set back after
 * they were scheduled. Claims alone only notice those beyond their horizon.
 */
export async function rescheduleDeliveries(
  ports: Pick<Ports, 'storage' | 'now'>,
  { leaseSeconds }: Pick<DeliveryPolicy, 'leaseSeconds'>,
): Promise<void> {
  const { storage, now } = ports
  for (const { id } of await storage.read((tx) => tx.workspaces.find([]))) {
    const hasPostponed = () =>
      storage.read((tx) => findPostponed(tx, id, now(), leaseSeconds).then((rows) => rows.length > 0))
    while (await hasPostponed())
      await storage.transact(async (tx) => {
        const at = now()
        for (const row of await findPostponed(tx, id, at, leaseSeconds)) {
          const { deliveries } = tx.workspace(id)
          // A worker may have claimed it since it was found.
          const locked = await deliveries.getForUpdate(row.id)
          if (locked?.due_at === row.due_at && locked.lease === row.lease)
            await deliveries.update({ ...locked, due_at: at, updated_at: at })
        }
        tx.notify()
      })
  }
}

async function findPostponed(
  tx: Transaction,
  workspaceId: string,
  at: Instant,
  leaseSeconds: number,
): Promise<readonly Delivery[]> {
  const changedAfter = addSeconds(at, TOLERANCE_SECONDS)
  const leaseEnd = addSeconds(at, leaseSeconds + TOLERANCE_SECONDS)
  const conditions: readonly (readonly Condition<Delivery>[])[] = [
    [
      { field: 'updated_at', from: changedAfter },
      { field: 'due_at', from: changedAfter },
    ],
    [
      { field: 'sending', is: true },
      { field: 'due_at', from: leaseEnd },
    ],
  ]
  const { deliveries } = tx.workspace(workspaceId)
  const paging = { page: 1, per_page: BATCH_SIZE, order_by: 'due_at', order: 'asc' } as const
  const pages = await Promise.all(conditions.map((where) => deliveries.list({ ...paging, where })))
  return pages.flatMap(({ rows }) => rows)
}
