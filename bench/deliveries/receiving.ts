import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { startWorker } from '../processes.ts'
import type { Notice, Order } from './receiver.ts'

export interface BenchReceiver {
  readonly port: number
  /** When the next delivery stands at the door. */
  arrival(): Promise<number>
  /** Once nothing came for a quarter of a second. */
  quiet(): Promise<void>
}

/** The settings of a service that may send to the receiver. */
export function trustSettings(folder: string): Readonly<Record<string, string>> {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, LAB_CERTIFICATE)
  return { WEBHOOK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: ca }
}

/** Starts the receiver. @param telling whether it says of each delivery when it came, which takes it time */
export async function startBenchReceiver(telling: boolean): Promise<BenchReceiver> {
  const worker = startWorker(fileURLToPath(new URL('./receiver.ts', import.meta.url)))
  const [notice] = (await once(worker, 'message')) as [Notice]
  if (!('port' in notice)) throw new Error('The receiver said something else than its port.')
  worker.send(telling)
  return {
    port: notice.port,
    async arrival() {
      const [next] = (await once(worker, 'message', { signal: AbortSignal.timeout(20_000) })) as [Notice]
      if (!('arrived' in next)) throw new Error('The receiver said something else than an arrival.')
      return next.arrived
    },
    async quiet() {
      worker.send('quiet' satisfies Order)
      await once(worker, 'message', { signal: AbortSignal.timeout(60_000) })
    },
  }
}
