import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'
import { describe, inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
  }
}

const postgresUrl = inject('postgresUrl')

const STORES: Readonly<Record<string, () => Promise<Storage>>> = {
  memory: async () => memoryStorage(),
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), 'crm-server-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return sqliteStorage({ file: join(folder, 'crm.db') })
  },
  ...(postgresUrl !== null && { postgres: () => postgresStorage({ url: postgresUrl, pool: 4 }) }),
}

/** The same behaviour on each store. What `open` gives is closed when the test ends. */
export function describeEachStore(name: string, define: (open: () => Promise<Storage>) => void): void {
  for (const [store, make] of Object.entries(STORES)) {
    describe(`${name} (${store})`, () => {
      define(async () => {
        const storage = await make()
        onTestFinished(() => storage.close())
        return storage
      })
    })
  }
}
