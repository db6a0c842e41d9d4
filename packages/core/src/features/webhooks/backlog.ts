import type { Ports } from '../../ports/index.ts'

/** The pending deliveries of all workspaces, as `operator.backlog` returns them. */
export interface BacklogView {
  /** Number of pending deliveries, due or not, including those being sent. */
  readonly pending: number
  /**
   * Seconds since the earliest due instant; 0 if nothing is due. A delivery being sent is due when its lease
   * ends, so only unclaimed deliveries count.
   */
  readonly overdue_seconds: number
}

/** Returns the pending deliveries of all workspaces, for the operator. */
export async function loadBacklog({ storage, now }: Pick<Ports, 'storage' | 'now'>): Promise<BacklogView> {
  const { pending, earliestDueAt } = await storage.read((tx) => tx.outbox.backlog())
  const overdue = earliestDueAt === undefined ? 0 : (Date.parse(now()) - Date.parse(earliestDueAt)) / 1000
  return { pending, overdue_seconds: Math.max(0, overdue) }
}
