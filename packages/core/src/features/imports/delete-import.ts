import { asService } from '../../engine/workspace-transaction.ts'
import type { Ports } from '../../ports/index.ts'
import { importKey } from '../../schema/import.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'
import { keptKey } from './revert/revert-session.ts'

/** Rows of 256 KiB of one transaction. */
const BATCH_SIZE = 20

type DeletionPorts = Pick<Ports, 'storage' | 'now'>

/** Deletes the file of an import, and what is needed to revert it, a few rows in each transaction. */
export async function deleteContents(record: ImportRecord, { storage, now }: DeletionPorts): Promise<void> {
  const { id, workspace_id, parts, chunks, progress } = record
  const numbers = (count: number, keyOf: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => keyOf(number))
  const partKeys = numbers(parts, (number) => importKey(id, number))
  const chunkKeys = [
    ...numbers(chunks, (number) => importKey(id, number)),
    ...numbers(progress.reversal?.kept ?? 0, (number) => keptKey(id, number)),
  ]
  for (const [name, keys] of [['import_parts', partKeys] as const, ['import_chunks', chunkKeys] as const])
    for (let start = 0; start < keys.length; start += BATCH_SIZE)
      await storage.transact(async (tx) => {
        const store = asService(tx, workspace_id).stores[name]
        const batch = keys.slice(start, start + BATCH_SIZE)
        for (const row of await store.find([{ field: 'key', oneOf: batch }])) await store.hardDelete(row.id)
      })
  await storage.transact(async (tx) => {
    const current = await tx.imports.getForUpdate(id)
    if (current) await tx.imports.update({ ...current, parts: 0, chunks: 0, updated_at: now() })
  })
}

/** Deletes the contents of an import that can no longer be reverted. Its name and counts stay. Returns 0 if there is none. */
export async function deleteExpiredContents(ports: DeletionPorts): Promise<number> {
  const { storage, now } = ports
  const { rows } = await storage.read((tx) =>
    tx.imports.list({
      ...{ page: 1, per_page: 1, order_by: 'expires_at', order: 'asc' },
      where: [
        { field: 'expires_at', to: now() },
        // Others are worked on: they end first.
        { field: 'due_at', is: null },
        {
          not: {
            allOf: [
              { field: 'parts', is: 0 },
              { field: 'chunks', is: 0 },
            ],
          },
        },
      ],
    }),
  )
  for (const each of rows) await deleteContents(toImportRecord(each), ports)
  return rows.length
}
