import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { bareClient, connectionsTo } from './bare.ts'
import { startWorkerOn } from './worker.ts'

/** The sending side: a process of its own, told by message first where to send and then what, that answers with what it took. */
export type SenderJob =
  | { readonly file: string; readonly port: number; readonly hosts: number }
  | { readonly name: SenderName; readonly count: number }
export type SenderName = 'service' | 'undici'
export type SenderOutcome = { readonly ms: number } | { readonly error: string }

/** Sends so many, and gives the milliseconds that it took. */
export type Send = (count: number) => Promise<number>

const sends = new Map<SenderName, Send>()

// Nobody is left to end it.
process.once('disconnect', () => process.exit())
process.on('message', (job: SenderJob) => {
  run(job).then(
    (ms) => process.send!({ ms } satisfies SenderOutcome),
    (error: unknown) =>
      process.send!({
        error: error instanceof Error ? error.message : String(error),
      } satisfies SenderOutcome),
  )
})

async function run(job: SenderJob): Promise<number> {
  if ('name' in job) return sends.get(job.name)!(job.count)
  const { body, send } = await startWorkerOn({ ...job, ca: LAB_CERTIFICATE })
  sends.set('service', send)
  sends.set('undici', bareClient(job.port, connectionsTo(job.hosts), body, LAB_CERTIFICATE))
  return 0
}
