import Database from 'better-sqlite3'
import type { Place } from './place.ts'
import type { Written } from './writers.ts'

/**
 * Compares the database with what its callers know: every acknowledged task as it was acknowledged last, none that nobody asked for, an
 * event for each change, and a sound file. @throws Error that says which is missing
 */
export async function mustHaveKept(place: Place, { tasks, unsure }: Written): Promise<{ readonly tasks: number; readonly events: number }> {
  const { workspaceId } = place
  const seen = await place.look(({ storage }) =>
    storage.read(async (tx) => {
      const stores = tx.workspace(workspaceId)
      const [kept, deliveries] = [await stores.tasks.find([]), await stores.deliveries.find([])]
      return { kept: new Map(kept.map(({ id, title }) => [id, title])), titles: kept.map(({ title }) => title), deliveries }
    }),
  )
  for (const [id, known] of tasks) {
    const title = seen.kept.get(id)
    if (title === undefined) throw new Error(`Task ${id} was acknowledged and is gone.`)
    if (title !== known.title && title !== known.unsure)
      throw new Error(`Task ${id} was acknowledged as "${known.title}" and is "${title}".`)
  }
  for (const [id, title] of seen.kept) {
    if (!tasks.has(id) && !unsure.has(title)) throw new Error(`Task ${id}, "${title}", was asked for by nobody, or was refused.`)
  }
  const created = seen.deliveries.filter(({ event }) => event === 'task.created')
  if (seen.deliveries.length > 0 && created.length !== seen.kept.size) {
    throw new Error(`${seen.kept.size} tasks are there, and ${created.length} events that tell of their making.`)
  }
  mustBeSound(place)
  return { tasks: seen.kept.size, events: created.length }
}

function mustBeSound({ database, databaseUrl }: Place): void {
  if (database !== 'sqlite') return
  const file = new Database(databaseUrl.slice('sqlite:'.length), { readonly: true })
  try {
    const found = file.pragma('integrity_check', { simple: true })
    if (found !== 'ok') throw new Error(`The file is damaged: ${found}`)
    const dangling = file.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Error(`${dangling.length} rows refer to nothing.`)
  } finally {
    file.close()
  }
}
