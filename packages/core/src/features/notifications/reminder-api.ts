import { asService } from '../../engine/workspace-transaction.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Timer } from '../../schema/timer.ts'
import { remindOfDay } from './remind-of-day.ts'
import { remindOfTask } from './remind-of-task.ts'

export type ReminderPorts = Pick<Ports, 'storage' | 'now' | 'newId' | 'secrets' | 'issuer'>

const BATCH_SIZE = 50

/** Reminders of all workspaces. */
export interface ReminderApi {
  /**
   * Sends up to fifty due reminders, each once, in the transaction that ends or postpones its timer. Several processes may
   * call it. Returns their number; 0 when none is due.
   * @param shouldContinue called before each reminder; when it returns false, the rest are left to the next call
   * @throws the first failure, after the others have been sent
   */
  send(shouldContinue?: () => boolean): Promise<number>
}

export function reminderApi(ports: ReminderPorts): ReminderApi {
  const { storage, now } = ports
  return {
    async send(shouldContinue = () => true) {
      const { rows } = await storage.read(({ timers }) =>
        timers.list({
          ...{ page: 1, per_page: BATCH_SIZE, order_by: 'due_at', order: 'asc' },
          where: [
            { field: 'due_at', to: now() },
            { field: 'kind', oneOf: ['task_reminder', 'day_reminder'] },
          ],
        }),
      )
      const failures: unknown[] = []
      for (const { id } of rows) {
        if (!shouldContinue()) break
        try {
          await storage.transact((tx) => fireTimer(tx, id, ports))
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      return rows.length
    },
  }
}

async function fireTimer(tx: Transaction, id: string, ports: ReminderPorts): Promise<void> {
  const timer: Timer | undefined = await tx.timers.getForUpdate(id)
  const at = ports.now()
  // Another process has fired it, or it was set to another time.
  if (!timer || timer.due_at > at) return
  const transaction = asService(tx, timer.workspace_id)
  const remind = timer.kind === 'task_reminder' ? remindOfTask : remindOfDay
  const next = await remind(timer, transaction, { at, ports })
  await (next === null
    ? tx.timers.hardDelete(id)
    : tx.timers.update({ ...timer, due_at: next, updated_at: at }))
}
