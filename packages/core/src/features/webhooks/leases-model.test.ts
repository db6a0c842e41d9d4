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

const STORES: readonly (readonly [name: string, open: () => Storage | Promise<Storage>, numRuns: number])[] =
  [
    ['in memory, one after another', memoryStorage, 100],
    ['in memory, side by side', deferredStorage, 200],
    [
      'in SQLite',
      () => sqliteStorage({ file: join(mkdtempSync(join(tmpdir(), 'crm-leases-')), 'crm.db') }),
      40,
    ],
  ]

test.each(STORES)(
  'whatever workers claim, settle late, give back and forget, a delivery has one holder and each lease one outcome: %s',
  async (_, open, numRuns) => {
    const storage = await open()
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        phases,
        transactionFates,
        fc.constantFrom(1, 1, 2, 3),
        (s, phases, lucks, count) => runLeaseModel({ storage, s, phases, lucks, count }),
      ),
      { numRuns, timeout: 5000 },
    )
    await storage.close()
  },
)
