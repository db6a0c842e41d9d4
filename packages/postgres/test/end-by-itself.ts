import pg from 'pg'
import { wakingOver } from '../src/waking.ts'

const [url, becomes] = process.argv.slice(2) as [string, 'kept' | 'lost']
const waking = wakingOver(new pg.Pool({ connectionString: url }), { url })
await new Promise<void>((resolve) => waking.onWake(resolve))
if (becomes === 'lost') {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()")
  await admin.end()
}
process.stdout.write('heard')
