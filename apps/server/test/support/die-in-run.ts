import type { Storage } from '@sales-crm/core/ports'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { openService } from './test-service.ts'

interface ScriptInput {
  readonly database: DatabaseLocation
  /** The transaction in which the process dies, counted from 1. */
  readonly transaction: number
  readonly moment: 'before commit' | 'after commit'
}

/** Continues background runs in a process that kills itself around the commit of a transaction. */
const { database, transaction, moment } = JSON.parse(process.argv[2]!) as ScriptInput
const storage = await openStorageAt(database)
const die = () => process.kill(process.pid, 'SIGKILL')
let count = 0
const crashingStorage: Storage = {
  ...storage,
  async transact(work) {
    count += 1
    const isLast = count === transaction
    const result = await storage.transact(async (tx) => {
      const value = await work(tx)
      if (isLast && moment === 'before commit') die()
      return value
    })
    if (isLast) die()
    return result
  },
}
const { crm } = await openService(crashingStorage)
while (await crm.runs.continue());
console.log('ended')
