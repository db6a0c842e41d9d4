import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { measureInRounds } from '../rounds.ts'
import { createUndiciSend } from './bare.ts'
import { startBenchReceiver } from './receiving.ts'
import { startDeliveryWorker } from './worker.ts'

const COUNT = 5_000
/** The service's limits of concurrent deliveries, per host and per workspace. */
const MAX_PER_HOST = 32
const MAX_PER_WORKSPACE = 128

/**
 * Measures deliveries per second of the service's worker and of undici alone, in alternation, with as many
 * connections.
 */
export async function measureSending(folder: string, rounds: number, hosts: number) {
  const { port } = await startBenchReceiver()
  const worker = await startDeliveryWorker(folder, port, hosts)
  const connections = Math.min(hosts * MAX_PER_HOST, MAX_PER_WORKSPACE)
  const sendByUndici = createUndiciSend(port, connections, worker.body, LAB_CERTIFICATE)
  const measureRate = async (work: () => Promise<void>) => {
    const startedAt = performance.now()
    await work()
    return (COUNT * 1000) / (performance.now() - startedAt)
  }
  const rates = await measureInRounds(
    {
      service: async () => measureRate(await worker.enqueue(COUNT)),
      undici: () => measureRate(() => sendByUndici(COUNT)),
    },
    rounds,
  )
  await worker.stop()
  return { connections, rates }
}
