import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorage } from '@sales-crm/conformance'
import { sqliteStorage } from '../src/index.ts'

describeStorage('SQLite', () =>
  sqliteStorage({ file: join(mkdtempSync(join(tmpdir(), 'crm-sqlite-')), 'crm.db') }),
)
