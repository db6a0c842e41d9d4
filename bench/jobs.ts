import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startWorker } from './processes.ts'

type Outcome<Result> = { readonly result: Result } | { readonly error: string }

/** A process that runs jobs, one at a time. */
export interface JobProcess<Job, Result> {
  /** @throws Error with the message of the job's error */
  run(job: Job): Promise<Result>
}

/** Forks a module that calls `serveJobs`. */
export function startJobProcess<Job extends object, Result>(module: URL): JobProcess<Job, Result> {
  const worker = startWorker(fileURLToPath(module))
  const exit = once(worker, 'exit').then(() => {
    throw new Error(`${module.pathname} exited unexpectedly.`)
  })
  exit.catch(() => {})
  return {
    async run(job) {
      const message = Promise.race([once(worker, 'message'), exit])
      worker.send(job)
      const [outcome] = (await message) as [Outcome<Result>]
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.result
    },
  }
}

/** Runs the jobs that the parent process sends, and exits with it. */
export function serveJobs<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.once('disconnect', () => process.exit())
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send!({ result } satisfies Outcome<Result>),
      (error: unknown) =>
        process.send!({
          error: error instanceof Error ? error.message : String(error),
        } satisfies Outcome<Result>),
    )
  })
}

/** Returns milliseconds of a monotonic clock that all processes of this machine share. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
