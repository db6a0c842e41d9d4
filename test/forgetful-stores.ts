import { copyFileSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { nodeSqliteStorage } from '../examples/node-sqlite-store/store.ts'

export function forgetEverything(): Storage {
  return memoryStorage()
}

export function restoreDeleted(file: string): Storage {
  return openAfter(file, 'update records set deleted_at = null')
}

export function forgetUniqueValues(file: string): Storage {
  return openAfter(file, 'delete from unique_values')
}

export function forgetLeases(file: string): Storage {
  return openAfter(
    file,
    "update records set value = json_set(value, '$.lease', 0) where collection = 'deliveries'",
  )
}

export function measureFromZero(file: string): Storage {
  const isReopened = existsSync(file)
  const storage = nodeSqliteStorage(file)
  if (!isReopened) return storage
  const measureWorkspace = async () => ({ records: 0, pendingDeliveries: 0, bytes: 0 })
  return {
    ...storage,
    read: (work, options) => storage.read((tx) => work({ ...tx, measureWorkspace }), options),
  }
}

/** Commits also what was written before an error, but only where it is looked at after the store is opened again. */
export function keepFailedWrites(file: string): Storage {
  const storage = nodeSqliteStorage(file)
  const failedWorks: Parameters<Storage['transact']>[0][] = []
  return {
    ...storage,
    transact: (work, options) =>
      storage.transact(work, options).catch((error) => {
        failedWorks.push(work)
        throw error
      }),
    async close() {
      for (const work of failedWorks) await storage.transact((tx) => work(tx).catch(() => undefined))
      await storage.close()
    },
  }
}

export function commitAtClose(file: string): Storage {
  const copy = `${file}.${crypto.randomUUID()}`
  if (existsSync(file)) copyFileSync(file, copy)
  const storage = nodeSqliteStorage(copy)
  return {
    ...storage,
    async close() {
      await storage.close()
      copyFileSync(copy, file)
    },
  }
}

/** Commits in a file beside, and then each row by itself in the one that is opened again. */
export async function commitByRow(file: string): Promise<Storage> {
  const copy = `${file}.${crypto.randomUUID()}`
  await nodeSqliteStorage(file).close()
  copyFileSync(file, copy)
  const storage = nodeSqliteStorage(copy)
  const rows = new DatabaseSync(file)
  rows.exec(`attach '${copy}' as committed`)
  return {
    ...storage,
    async transact(work, options) {
      const result = await storage.transact(work, options)
      for (const table of ['records', 'unique_values']) copyRows(rows, table)
      return result
    },
    async close() {
      await storage.close()
      rows.close()
    },
  }
}

/** The commit of a slow disk, long beside the rest of the transaction: a kill most often falls between two. */
const ROW_COMMIT_MS = 5

/** Each statement commits by itself. */
function copyRows(database: DatabaseSync, table: string): void {
  const difference = (from: string, to: string) =>
    database.prepare(`select * from ${from}.${table} except select * from ${to}.${table}`).all()
  for (const row of difference('main', 'committed')) {
    const names = Object.keys(row)
    const where = names.map((name) => `${name} is ?`).join(' and ')
    database.prepare(`delete from main.${table} where ${where}`).run(...(Object.values(row) as string[]))
  }
  for (const row of difference('committed', 'main')) {
    const places = Object.keys(row).map(() => '?')
    database.prepare(`insert into main.${table} values (${places})`).run(...(Object.values(row) as string[]))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROW_COMMIT_MS)
  }
}

function openAfter(file: string, sql: string): Storage {
  if (existsSync(file)) {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  return nodeSqliteStorage(file)
}
