import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDurability, describeStorage } from '@sales-crm/conformance'
import { sqliteStorage } from '../src/index.ts'

const newFile = () => join(mkdtempSync(join(tmpdir(), 'crm-sqlite-')), 'crm.db')

describeStorage('SQLite', () => sqliteStorage({ file: newFile() }))

describeDurability('SQLite', () => ({
  module: import.meta.resolve('@sales-crm/sqlite'),
  exportName: 'sqliteStorage',
  args: [{ file: newFile() }],
}))
