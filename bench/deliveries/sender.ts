import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { createUndiciSend, maxConnections } from './bare.ts'
import type { Send } from './send.ts'
import { startDeliveryWorker } from './worker.ts'

/**
 * The sending side, as a process of its own. Its first message says where to send, and each later one what to
 * send. It replies with the duration.
 */
export type SenderJob =
  | { readonly file: string; readonly port: number; readonly hosts: number }
  | { readonly name: SenderName; readonly count: number }
export type SenderName = 'service' | 'undici'
export type SenderOutcome = { readonly ms: number } | { readonly error: string }

const sends = new Map<SenderName, Send>()

// Exits with its parent process.
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
  const { body, send } = await startDeliveryWorker({ ...job, ca: LAB_CERTIFICATE })
  sends.set('service', send)
  sends.set('undici', createUndiciSend(job.port, maxConnections(job.hosts), body, LAB_CERTIFICATE))
  return 0
}
