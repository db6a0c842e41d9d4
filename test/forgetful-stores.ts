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

function openAfter(file: string, sql: string): Storage {
  if (existsSync(file)) {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  return nodeSqliteStorage(file)
}
