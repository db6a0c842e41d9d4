import { existsSync, statSync } from 'node:fs'
import { sqliteFile } from '../process/settings.ts'
import { type Command, withDatabase } from './command.ts'

export const backup: Command = {
  summary: 'copy a SQLite database while it is in use',
  options: {},
  operand: 'FILE',
  async run(context) {
    const source = sqliteFile(context.settings())
    if (source === undefined) throw new Error('backup copies SQLite only. With PostgreSQL use pg_dump.')
    if (!existsSync(source)) throw new Error(`There is no database ${source} to copy. Check DATABASE_URL.`)
    const file = context.operand
    await withDatabase(context, async ({ storage }) => 'backup' in storage && storage.backup(file))
    return { value: { file, bytes: statSync(file).size } }
  },
}
