import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorker } from '../processes.ts'
import { median } from '../rounds.ts'
import { startBenchReceiver } from './receiving.ts'
import type { SenderJob, SenderName, SenderOutcome } from './sender.ts'

const NAMES: readonly SenderName[] = ['service', 'undici']
const COUNT = 5_000
const ROUND_MS = 120_000

export interface Rates {
  readonly service: number
  readonly undici: number
  readonly ratio: number
}

/**
 * Measures deliveries per second of the service's worker and of undici alone, in alternation, with as many
 * connections.
 */
export async function measureSending(folder: string, rounds: number, hosts: number): Promise<Rates> {
  const { port } = await startBenchReceiver(false)
  const worker = startWorker(fileURLToPath(new URL('./sender.ts', import.meta.url)))

  async function runJob(job: SenderJob): Promise<number> {
    worker.send(job)
    const outcomeMessage = once(worker, 'message', { signal: AbortSignal.timeout(ROUND_MS) })
    const [outcome] = (await outcomeMessage.catch((cause) => {
      throw new Error(`${COUNT} deliveries were not sent within ${ROUND_MS / 1000} seconds.`, { cause })
    })) as [SenderOutcome]
    if ('error' in outcome) throw new Error(outcome.error)
    return outcome.ms
  }

  await runJob({ file: join(folder, `sending-${hosts}.db`), port, hosts })
  for (const name of NAMES) await runJob({ name, count: COUNT })
  const rates = { service: [] as number[], undici: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 ? NAMES : NAMES.toReversed())
      rates[name].push(COUNT / ((await runJob({ name, count: COUNT })) / 1000))
  }
  worker.kill()
  return {
    service: median(rates.service),
    undici: median(rates.undici),
    ratio: median(rates.service.map((rate, round) => rate / rates.undici[round]!)),
  }
}
