import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { startJobProcess } from '../jobs.ts'
import type { ReceiverJob } from './receiver.ts'

export interface BenchReceiver {
  readonly port: number
  /** Resolves to the time of the next delivery's arrival. */
  nextArrival(): Promise<number>
  /** Resolves once no delivery has come for a quarter of a second. */
  waitUntilIdle(): Promise<unknown>
}

/** Returns the environment variables of a service that may send to the receiver. */
export function trustSettings(folder: string): Readonly<Record<string, string>> {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, LAB_CERTIFICATE)
  return { WEBHOOK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: ca }
}

/** Starts the receiver, which answers 200 to every delivery over TLS. It ends with the benchmark. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const { run } = startJobProcess<ReceiverJob, number>(new URL('./receiver.ts', import.meta.url))
  return {
    port: await run({ waitFor: 'port' }),
    nextArrival: () => run({ waitFor: 'arrival' }),
    waitUntilIdle: () => run({ waitFor: 'idle' }),
  }
}
