import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/**
 * Checks that each acknowledged task is stored with its last title, or with the title of an unanswered
 * change.
 * @throws Error naming the task that is missing, differs, or was never requested
 */
export function expectStoredTasks(
  stored: Pick<StoredRecords, 'tasks'>,
  { tasks, unconfirmed }: Pick<AcknowledgedWrites, 'tasks' | 'unconfirmed'>,
): void {
  const titles = new Map(stored.tasks.map(({ id, title }) => [id, title]))
  for (const [id, known] of tasks) {
    const title = titles.get(id)
    if (title === undefined) throw new Error(`Task ${id} was acknowledged and is missing.`)
    if (title !== known.title && title !== known.unconfirmed)
      throw new Error(`Task ${id} was acknowledged as "${known.title}" and is "${title}".`)
  }
  for (const [id, title] of titles) {
    if (!tasks.has(id) && !unconfirmed.has(title))
      throw new Error(`Task ${id}, "${title}", was never requested, or its creation was rejected.`)
  }
}
