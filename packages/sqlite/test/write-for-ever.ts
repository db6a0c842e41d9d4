import { sqliteStorage } from '../src/index.ts'
import { add } from './harness.ts'

const { transact, transactUnsynced } = await sqliteStorage({ file: process.argv[2]! })
for (let number = 1; ; number += 8) {
  const group = Array.from({ length: 8 }, (_, index) => number + index)
  // In turns, those that wait for the disk and those that do not.
  const storage = { transact: number % 16 === 1 ? transact : transactUnsynced }
  await Promise.all(
    group.map(async (each) => {
      await add(storage, `key_${each}`, each)
      process.stdout.write(`key_${each}\n`)
    }),
  )
}
