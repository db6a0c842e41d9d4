import {
  COUNTED_COLLECTIONS,
  LONG_TEXTS,
  MIN_LONG_TEXT_BYTES,
  type WorkspaceSize,
} from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { type CollectionSpec, getCollection, WORKSPACE_COLLECTIONS, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const EMPTY: WorkspaceSize = { records: 0, pendingDeliveries: 0, bytes: 0 }
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** The live records and the bytes of long texts of a workspace, which a store may maintain or compute. */
export const workspaceSizes: Group = {
  name: 'workspace sizes',
  cases: [
    {
      name: 'a workspace without data has no records and no bytes',
      async run({ storage }) {
        expect(await storage.read((tx) => tx.measureWorkspace(newId()))).toEqual(EMPTY)
      },
    },
    ...WORKSPACE_COLLECTIONS.map(countsRecords),
    {
      name: 'counts pending deliveries until they end',
      async run(context) {
        const deliveries = getCollection('deliveries')
        const pending = await insertRow(context, deliveries, { due_at: instant(1) })
        await insertRow(context, deliveries, { due_at: null })
        const removed = await insertRow(context, deliveries, { due_at: instant(1) })
        await write(context, deliveries, (store) => store.softDelete(removed.id, instant(9)))
        expect((await measure(context)).pendingDeliveries).toBe(1)
        await write(context, deliveries, (store) => store.update({ ...pending, due_at: null }))
        expect((await measure(context)).pendingDeliveries).toBe(0)
      },
    },
    ...Object.entries(LONG_TEXTS).map(([name, column]) =>
      countsBytes(getCollection(name as 'files'), column),
    ),
    {
      name: 'counts the bytes of a text from the bound on, in UTF-8',
      async run(context) {
        const files = getCollection('files')
        const characters = MIN_LONG_TEXT_BYTES / 4
        await insertRow(context, files, { content: `${'😀'.repeat(characters - 1)}abc` })
        expect(await readBytes(context)).toBe(0)
        await insertRow(context, files, { ...uniqueKey(), content: '😀'.repeat(characters) })
        expect(await readBytes(context)).toBe(MIN_LONG_TEXT_BYTES)
      },
    },
    {
      name: 'a rollback leaves the size unchanged, and concurrent writes are all counted',
      async run(context) {
        const files = getCollection('files')
        const content = textOf(5000)
        const runs = TWENTY.map((nth) =>
          write(context, files, async (store) => {
            const row = { id: newId(), created_at: instant(1), updated_at: instant(1), ...uniqueKey() }
            await store.insert({ ...row, filename: 'a', content_type: 'b', content, download: true })
            if (nth % 4 === 0) throw new Error('rolled back')
          }),
        )
        await Promise.allSettled(runs)
        expect(await readBytes(context)).toBe(15 * 5000)
        expect(await context.storage.read((tx) => tx.measureWorkspace(context.otherWorkspace))).toEqual(EMPTY)
      },
    },
  ],
}

/** Counts each live record of a collection that the quota bounds, and none of any other. */
function countsRecords(spec: CollectionSpec): Case {
  const isCounted = COUNTED_COLLECTIONS.some((name) => name === spec.name)
  return {
    name: `${isCounted ? 'counts' : 'does not count'} the records of ${spec.name}`,
    async run(context) {
      const row = await insertRow(context, spec)
      const { records } = await measure(context)
      await write(context, spec, (store) => store.insertMany([cloneRow(spec, row), cloneRow(spec, row)]))
      expect((await measure(context)).records - records).toBe(isCounted ? 2 : 0)
      await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
      expect((await measure(context)).records - records).toBe(isCounted ? 1 : 0)
    },
  }
}

function countsBytes(spec: CollectionSpec, column: string): Case {
  const valueWith = (bytes: number) =>
    spec.columns[column] === 'json' ? [textOf(bytes - '[""]'.length)] : textOf(bytes)
  return {
    name: `counts the bytes of ${spec.name}.${column}`,
    async run(context) {
      const row = await insertRow(context, spec, { [column]: valueWith(5000) })
      expect(await readBytes(context)).toBe(5000)
      const longer = { ...row, [column]: valueWith(7000) }
      await write(context, spec, (store) => store.update(longer))
      expect(await readBytes(context)).toBe(7000)
      const shorter = { ...row, [column]: valueWith(100) }
      await write(context, spec, (store) => store.update(shorter))
      expect(await readBytes(context)).toBe(0)
      const clones = [5000, 6000].map((bytes) => cloneRow(spec, row, { [column]: valueWith(bytes) }))
      await write(context, spec, (store) => store.insertMany(clones))
      await write(context, spec, (store) => store.softDelete(clones[0]!.id, instant(9)))
      expect(await readBytes(context)).toBe(11_000)
      await write(context, spec, (store) => store.hardDelete(clones[1]!.id))
      expect(await readBytes(context)).toBe(5000)
    },
  }
}

function measure({ storage, workspace }: Context): Promise<WorkspaceSize> {
  return storage.read((tx) => tx.measureWorkspace(workspace))
}

async function readBytes(context: Context): Promise<number> {
  return (await measure(context)).bytes
}

function textOf(bytes: number): string {
  return 'x'.repeat(bytes)
}

function uniqueKey() {
  return { key: newId() }
}
