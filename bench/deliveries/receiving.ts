import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { startWorker } from '../processes.ts'
import type { ReceiverCommand, ReceiverNotice } from './receiver.ts'

export interface BenchReceiver {
  readonly port: number
  /** Resolves to the time of the next delivery's arrival. */
  nextArrival(): Promise<number>
  /** Resolves once no delivery has come for a quarter of a second. */
  waitUntilIdle(): Promise<void>
}

/** Returns the environment variables of a service that may send to the receiver. */
export function trustSettings(folder: string): Readonly<Record<string, string>> {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, LAB_CERTIFICATE)
  return { WEBHOOK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: ca }
}

/**
 * Starts the receiver.
 * @param reportsArrivals true to report each arrival, which takes the receiver time
 */
export async function startBenchReceiver(reportsArrivals: boolean): Promise<BenchReceiver> {
  const worker = startWorker(fileURLToPath(new URL('./receiver.ts', import.meta.url)))
  const [notice] = (await once(worker, 'message')) as [ReceiverNotice]
  if (!('port' in notice)) throw new Error("The receiver's first message was not its port.")
  worker.send(reportsArrivals)
  return {
    port: notice.port,
    async nextArrival() {
      const [next] = (await once(worker, 'message', { signal: AbortSignal.timeout(20_000) })) as [
        ReceiverNotice,
      ]
      if (!('arrived' in next)) throw new Error('The receiver sent another message than an arrival.')
      return next.arrived
    },
    async waitUntilIdle() {
      worker.send('idle' satisfies ReceiverCommand)
      await once(worker, 'message', { signal: AbortSignal.timeout(60_000) })
    },
  }
}
