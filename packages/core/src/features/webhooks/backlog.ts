import type { Ports } from '../../ports/index.ts'

export interface BacklogView {
  /** Deliveries that wait, due or not, those included that are under way. */
  readonly pending: number
  /**
   * For how long the one that is due longest has been due; 0 where none is by now. One under way is due again when its lease ends, so
   * that only what nobody has taken on counts.
   */
  readonly overdue_seconds: number
}

/** What waits to be delivered in all workspaces, for whoever runs the service. */
export async function loadBacklog({ storage, now }: Pick<Ports, 'storage' | 'now'>): Promise<BacklogView> {
  const { pending, earliestDueAt } = await storage.read((tx) => tx.outbox.backlog())
  const overdue = earliestDueAt === undefined ? 0 : (Date.parse(now()) - Date.parse(earliestDueAt)) / 1000
  return { pending, overdue_seconds: Math.max(0, overdue) }
}
