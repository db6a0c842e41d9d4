import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome, Sample } from './load.ts'
import { startWorker } from './processes.ts'

export interface Generator {
  /** @throws Error when a single answer was not what it should be */
  run(job: Job): Promise<Sample>
}

/** The load generator, in its own process for the whole benchmark. */
export function startGenerator(): Generator {
  const worker = startWorker(fileURLToPath(new URL('./load.ts', import.meta.url)))
  const ended = once(worker, 'exit').then(() =>
    Promise.reject(new Error('The load generator ended by itself.')),
  )
  ended.catch(() => {})
  return {
    async run(job) {
      const answered = Promise.race([once(worker, 'message'), ended])
      worker.send(job)
      const [outcome] = (await answered) as [Outcome]
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.sample
    },
  }
}
