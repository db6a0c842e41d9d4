import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDurability, describeStorage } from '@sales-crm/conformance'
import { afterAll } from 'vitest'
import { nodeSqliteStorage } from '../examples/node-sqlite-store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'node-sqlite-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStorage('node:sqlite', async () => nodeSqliteStorage(join(folder, 'crm.db')))

describeDurability('node:sqlite', () => ({
  module: new URL('../examples/node-sqlite-store/store.ts', import.meta.url).href,
  exportName: 'nodeSqliteStorage',
  args: [join(folder, 'durable.db')],
}))
