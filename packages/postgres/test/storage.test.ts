import { describeAccessGate, describeDurability, describeStorage } from '@sales-crm/conformance'
import { describe, inject } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')

describe.runIf(server !== null)('PostgreSQL server', () => {
  const open = async () => postgresStorage({ url: await freshDatabase(server!) })
  describeStorage('PostgreSQL', open)
  describeDurability('PostgreSQL', async () => ({
    module: import.meta.resolve('@sales-crm/postgres'),
    exportName: 'postgresStorage',
    args: [{ url: await freshDatabase(server!) }],
  }))
  describeAccessGate('PostgreSQL', async () => {
    const storage = await open()
    return { storage, gate: storage.gate, advance: undefined }
  })
})
