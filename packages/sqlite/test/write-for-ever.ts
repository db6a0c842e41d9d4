import { sqliteStorage } from '../src/index.ts'
import { add } from './harness.ts'

const storage = await sqliteStorage({ file: process.argv[2]! })
for (let number = 1; ; number += 8) {
  const group = Array.from({ length: 8 }, (_, index) => number + index)
  await Promise.all(
    group.map(async (each) => {
      await add(storage, `key_${each}`, each)
      process.stdout.write(`key_${each}\n`)
    }),
  )
}
