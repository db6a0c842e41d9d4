import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome, Sample } from './load.ts'
import { startWorker } from './processes.ts'

export interface Generator {
  /**
   * Runs a job.
   * @throws Error if any response had another status than expected
   */
  run(job: Job): Promise<Sample>
}

/** Starts the load generator in a process of its own. */
export function startGenerator(): Generator {
  const worker = startWorker(fileURLToPath(new URL('./load.ts', import.meta.url)))
  const exit = once(worker, 'exit').then(() =>
    Promise.reject(new Error('The load generator exited unexpectedly.')),
  )
  exit.catch(() => {})
  return {
    async run(job) {
      const outcomeMessage = Promise.race([once(worker, 'message'), exit])
      worker.send(job)
      const [outcome] = (await outcomeMessage) as [Outcome]
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.sample
    },
  }
}
