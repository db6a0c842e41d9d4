import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startWorker } from '../processes.ts'
import type { Notice } from './receiver.ts'

export interface Receiving {
  readonly port: number
  /** When the next delivery stands at the door. */
  arrival(): Promise<number>
}

/** Starts the receiver. @param telling whether it says of each delivery when it came, which takes it time */
export async function startReceiving(telling: boolean): Promise<Receiving> {
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
  }
}
