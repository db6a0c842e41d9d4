import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStorage } from '@sales-crm/sqlite'
import fc from 'fast-check'
import { test } from 'vitest'
import { deferredStorage } from '../../../../conformance/test/deferred-storage.ts'
import { phases, runLeaseModel, transactionFates } from '../../../test/leases.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

const STORES: readonly (readonly [
  name: string,
  createStorage: () => Storage | Promise<Storage>,
  numRuns: number,
])[] = [
  ['serial memory store', memoryStorage, 100],
  ['concurrent memory store', deferredStorage, 200],
  ['SQLite', () => sqliteStorage({ file: join(mkdtempSync(join(tmpdir(), 'crm-leases-')), 'crm.db') }), 40],
]

test.each(STORES)(
  'a delivery has one holder and a lease one outcome under random worker actions: %s',
  async (_, createStorage, numRuns) => {
    const storage = await createStorage()
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        phases,
        transactionFates,
        fc.constantFrom(1, 1, 2, 3),
        (s, phases, fates, count) => runLeaseModel({ storage, s, phases, fates, count }),
      ),
      { numRuns, timeout: 5000 },
    )
    await storage.close()
  },
)
