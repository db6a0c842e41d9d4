import { timeMigrations } from '../process/migration-log.ts'
import type { OpenDatabase } from '../process/open-store.ts'
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
  run: (context) =>
    withDatabase(context, async ({ storage }) => {
      if (!context.fields['distribute']) return applyMigrations(context, storage)
      if (!('distribute' in storage))
        throw new Error(
          'SQLite keeps all rows in one file. Set DATABASE_URL to a PostgreSQL database with the extension citus, and move the workspaces there.',
        )
      const migrated = await applyMigrations(context, storage)
      const { distributed, reference } = await storage.distribute({
        onTable: (table, rows) => context.progress(`Distributing ${table}, about ${rows} rows …`),
      })
      context.progress('')
      const text =
        distributed.length > 0
          ? `Distributed: ${distributed.join(', ')}\nRestart the service.`
          : 'The tables are already distributed.'
      return { value: { ...migrated.value, distributed, reference }, text: `${migrated.text}\n${text}` }
    }),
}

async function applyMigrations(context: CommandContext, storage: OpenDatabase['storage']) {
  // By name: after a deadlock on PostgreSQL all of them run again.
  const durations = new Map<string, number>()
  const applied = await storage.migrate({
    onMigration: timeMigrations((name, durationMs) => durations.set(name, durationMs)),
    onProgress: (table, rows) => context.progress(`Rewrote ${rows} records of ${table} …`),
  })
  context.progress('')
  const text = applied.map((name) => `${name} (${durations.get(name)} ms)`).join(', ')
  return {
    value: { applied },
    text: applied.length > 0 ? `Applied: ${text}` : 'The tables are up to date.',
  }
}
