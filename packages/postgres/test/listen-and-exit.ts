import pg from 'pg'
import { PostgresNotifier } from '../src/notifications.ts'

const [url, connectionState] = process.argv.slice(2) as [string, 'open' | 'lost']
const notifier = new PostgresNotifier(new pg.Pool({ connectionString: url }), { url })
await new Promise<void>((resolve) => notifier.onNotify(resolve))
if (connectionState === 'lost') {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
  )
  await admin.end()
}
process.stdout.write('notified')
