import type { Storage } from '@sales-crm/core/ports'
import { sqliteStorage } from '../src/index.ts'
import { addTaskType } from './harness.ts'

const { transact } = await sqliteStorage({ file: process.argv[2]! })
for (let number = 1; ; number += 8) {
  const group = Array.from({ length: 8 }, (_, index) => number + index)
  // Alternates durable and relaxed transactions.
  const storage: Pick<Storage, 'transact'> = {
    transact: (work) => transact(work, number % 16 === 1 ? {} : { durability: 'relaxed' }),
  }
  await Promise.all(
    group.map(async (each) => {
      await addTaskType(storage, `key_${each}`, each)
      process.stdout.write(`key_${each}\n`)
    }),
  )
}
