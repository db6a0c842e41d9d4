import type { StoredRecords } from './stored-records.ts'
import type { AcknowledgedWrites } from './writers.ts'

/**
 * @throws Error that names the task that is missing, is not as it was acknowledged, or was asked for by
 * nobody
 */
export function expectStoredTasks(
  kept: Pick<StoredRecords, 'tasks'>,
  { tasks, unsure }: Pick<AcknowledgedWrites, 'tasks' | 'unsure'>,
): void {
  const titles = new Map(kept.tasks.map(({ id, title }) => [id, title]))
  for (const [id, known] of tasks) {
    const title = titles.get(id)
    if (title === undefined) throw new Error(`Task ${id} was acknowledged and is gone.`)
    if (title !== known.title && title !== known.unsure)
      throw new Error(`Task ${id} was acknowledged as "${known.title}" and is "${title}".`)
  }
  for (const [id, title] of titles) {
    if (!tasks.has(id) && !unsure.has(title))
      throw new Error(`Task ${id}, "${title}", was asked for by nobody, or was refused.`)
  }
}
