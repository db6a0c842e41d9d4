import { timeMigrations } from '../process/migration-log.ts'
import { type Command, type CommandContext, withDatabase } from './command.ts'

export const migrate: Command = {
  summary: "bring the database's tables up to date",
  options: {
    distribute: {
      value: '',
      help: 'then spread the rows of workspaces over the servers of Citus',
      kind: 'flag',
    },
  },
  async run(context) {
    const migrated = await applyMigrations(context)
    if (!context.fields['distribute']) return migrated
    const { distributed, reference } = await distributeTables(context)
    const text =
      distributed.length > 0
        ? `Distributed: ${distributed.join(', ')}\nRestart the service.`
        : 'The tables are already distributed.'
    return {
      value: { ...migrated.value, distributed, reference },
      text: `${migrated.text}\n${text}`,
    }
  },
}

async function applyMigrations(context: CommandContext) {
  // By name: after a deadlock on PostgreSQL all of them run again.
  const durations = new Map<string, number>()
  const applied = await withDatabase(context, ({ storage }) =>
    storage.migrate({
      onMigration: timeMigrations((name, durationMs) => durations.set(name, durationMs)),
      onProgress: (table, rows) => context.progress(`Rewrote ${rows} records of ${table} …`),
    }),
  )
  context.progress('')
  const text = applied.map((name) => `${name} (${durations.get(name)} ms)`).join(', ')
  return {
    value: { applied },
    text: applied.length > 0 ? `Applied: ${text}` : 'The tables are up to date.',
  }
}

/** @throws Error with one line that says what to do */
async function distributeTables(context: CommandContext) {
  const distribution = await withDatabase(context, async ({ storage }) => {
    if (!('distribute' in storage))
      throw new Error(
        'SQLite keeps all rows in one file. Set DATABASE_URL to a PostgreSQL database with the extension citus, and move the workspaces there.',
      )
    return storage.distribute({
      onTable: (table, rows) => context.progress(`Distributing ${table}, about ${rows} rows …`),
    })
  })
  context.progress('')
  return distribution
}
