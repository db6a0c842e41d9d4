import { parentPort } from 'node:worker_threads'
import { serveTasks } from '../../src/threads/task-thread.ts'

/** Draws nothing, and never ends for one title. */
serveTasks(parentPort!, {
  drawOffer({ title }: { readonly title: string }) {
    while (title === 'endless');
    return new Uint8Array()
  },
})
