import { asService } from '../../engine/workspace-transaction.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import { NOTIFICATION_DAYS } from './notify-member.ts'

const BATCH_SIZE = 300

/** Deletes old notifications of one workspace whose timer is due. Returns the number of those found. */
export async function deleteOldNotifications({
  storage,
  now,
}: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  return storage.transact(async (tx) => {
    const at = now()
    const due = await tx.timers.list({
      ...{ page: 1, per_page: 1, order_by: 'due_at', order: 'asc' },
      where: [
        { field: 'due_at', to: at },
        { field: 'kind', is: 'notification_expiry' },
      ],
    })
    const timer = due.rows[0] && (await tx.timers.getForUpdate(due.rows[0].id))
    if (!timer || timer.due_at > at) return 0
    const service = asService(tx, timer.workspace_id)
    // A notification that is written meanwhile sees the timer, or waits and begins another.
    await service.lock('notification_expiry')
    const { notifications } = service.stores
    const page = { page: 1, order_by: 'created_at', order: 'asc' } as const
    const cutoff = addSeconds(at, -NOTIFICATION_DAYS * DAY)
    const { rows } = await notifications.list({
      ...{ ...page, per_page: BATCH_SIZE },
      where: [{ field: 'created_at', to: cutoff }],
    })
    for (const { id } of rows) await notifications.hardDelete(id)
    const [oldest] = (await notifications.list({ ...page, per_page: 1, where: [] })).rows
    const expiresAt = addSeconds(oldest?.created_at ?? at, NOTIFICATION_DAYS * DAY)
    await tx.timers.update({ ...timer, due_at: expiresAt > at ? expiresAt : at, updated_at: at })
    return rows.length
  })
}
