import { parentPort, threadId } from 'node:worker_threads'
import { handleMessages } from '../../../src/webhooks/thread-messages.ts'

const DEAF = new Promise<never>(() => {})

// Does as the body says; else the answer tells which thread gave it.
handleMessages(parentPort!, {
  async send({ body }) {
    if (body === 'throw') throw new Error('Thrown in the thread.')
    if (body === 'exit') process.exit(7)
    if (body === 'deaf') return DEAF
    return { duration_ms: 1, status: 200, error: null, response: `${threadId} ${body}` }
  },
  close: () => DEAF,
})
