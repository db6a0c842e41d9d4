import { randomUUID } from 'node:crypto'
import { getHeapSpaceStatistics } from 'node:v8'
import { postgresStorage } from '../../src/index.ts'

/** Reads rows repeatedly and prints how many of their bytes reached the old space of V8. */
const ROWS = 200
const CONCURRENT_READS = 32
const ROUNDS = 20
const AT = '2026-03-01T12:00:00.000Z'

const storage = await postgresStorage({ url: process.argv[2]! })
const workspace = randomUUID()
await storage.transact(async (tx) => {
  for (let nth = 0; nth < ROWS; nth += 1) {
    const taskType = {
      id: randomUUID(),
      title: `Call ${nth}`,
      color: '#6b7280',
      key: String(nth),
      created_at: AT,
      updated_at: AT,
    }
    await tx.workspace(workspace).task_types.insert(taskType)
  }
})

async function readAndCollect(): Promise<void> {
  for (let nth = 0; nth < ROUNDS; nth += 1) {
    const reads = Array.from({ length: CONCURRENT_READS }, () =>
      storage.read((tx) => tx.workspace(workspace).task_types.find([])),
    )
    await Promise.all(reads)
    gc!({ type: 'minor' })
  }
}

const readOldSpaceSize = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size
await readAndCollect()
gc!({ type: 'major' })
const before = readOldSpaceSize()
await readAndCollect()
process.stdout.write(String(readOldSpaceSize() - before))
await storage.close()
