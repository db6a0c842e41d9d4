import { parentPort } from 'node:worker_threads'
import { serveTasks } from '../../src/threads/task-thread.ts'

export const TASKS = {
  double: (value: number) => value * 2,
  fail: (message: string): never => {
    throw new RangeError(message)
  },
  end: () => process.exit(),
  readLength: (bytes: Uint8Array) => bytes.length,
}
if (parentPort) serveTasks(parentPort, TASKS)
