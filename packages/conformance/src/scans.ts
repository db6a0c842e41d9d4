import type { ScannedRecord } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import {
  type CollectionSpec,
  type Row,
  type RowStore,
  read,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

export const scans: Group = { name: 'scan', cases: WORKSPACE_COLLECTIONS.map(visitsApart) }

function visitsApart(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: scan visits live records and deleted ones apart, by id, in pages`,
    async run(context) {
      const gone = await insertRow(context, spec)
      const clones = [1, 2, 3, 4].map(() => cloneRow(spec, gone)).sort((a, b) => (a.id < b.id ? -1 : 1))
      // The later the id, the earlier the creation.
      const rows = clones.map((row, index) => ({ ...row, created_at: instant(-index) }))
      const [deleted, ...live] = rows
      const expectRows = async (store: RowStore) => {
        const liveRows = live.map((record) => ({ record, deleted_at: null }))
        expect(await scanAll(store, 'live'), 'live').toEqual(liveRows)
        expect(await scanAll(store, 'deleted'), 'deleted').toEqual([
          { record: deleted, deleted_at: instant(7) },
        ])
      }
      await write(context, spec, async (store) => {
        await store.insertMany(rows)
        await store.softDelete(deleted!.id, instant(7))
        await store.hardDelete(gone.id)
        await expectRows(store)
      })
      await read(context, spec, expectRows)
      const elsewhere = { storage: context.storage, workspace: context.otherWorkspace }
      for (const state of ['live', 'deleted'] as const)
        expect(await read(elsewhere, spec, (store) => scanAll(store, state))).toEqual([])
    },
  }
}

async function scanAll(store: RowStore, state: 'live' | 'deleted'): Promise<readonly ScannedRecord<Row>[]> {
  const visited: ScannedRecord<Row>[] = []
  for (;;) {
    const page = await store.scan({ state, after: visited.at(-1)?.record.id ?? null, limit: 2 })
    visited.push(...page)
    if (page.length < 2) return visited
  }
}
