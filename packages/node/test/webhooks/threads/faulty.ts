import { parentPort, threadId } from 'node:worker_threads'
import { handleMessages } from '../../../src/webhooks/thread-messages.ts'

const NEVER = new Promise<never>(() => {})

// The body selects the behavior; otherwise the response contains the id of this thread.
handleMessages(parentPort!, {
  async send({ body }) {
    if (body === 'throw') throw new Error('Thrown in the thread.')
    if (body === 'exit') process.exit(7)
    if (body === 'deaf') return NEVER
    return { duration_ms: 1, status: 200, error: null, response: `${threadId} ${body}` }
  },
  close: () => NEVER,
})
