import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startWorker } from '../../bench/processes.ts'
import type { ReceivedDelivery, ReceiverCommand, ReceiverMessage } from './receiver-process.ts'

const WORKER = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))
const LOOK_MS = 50

export interface Receiver {
  /** `path` says how it answers: see `receiver.ts`. */
  url(path: string): string
  /** All that stood at its door, in order. */
  heard(): Promise<readonly ReceivedDelivery[]>
  /** All that was heard, once it is enough. @throws Error with `missing` when it is not in time */
  until(
    isEnough: (heard: readonly ReceivedDelivery[]) => boolean,
    withinMs: number,
    missing: string,
  ): Promise<readonly ReceivedDelivery[]>
  /**
   * Whether it answers on `/silent` from now on, what it kept waiting first. At the beginning it does not.
   */
  speak(speak: boolean): void
  end(): void
}

/** Starts a receiver of deliveries over TLS on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const worker = startWorker(WORKER)
  const [notice] = (await once(worker, 'message')) as [ReceiverMessage]
  if (!('port' in notice)) throw new Error('The receiver said something else than its port.')
  const all: ReceivedDelivery[] = []

  async function heard(): Promise<readonly ReceivedDelivery[]> {
    worker.send({ from: all.length } satisfies ReceiverCommand)
    const [more] = (await once(worker, 'message')) as [ReceiverMessage]
    if ('heard' in more) all.push(...more.heard)
    return all
  }

  return {
    url: (path) => `https://127.0.0.1:${notice.port}${path}`,
    heard,
    async until(isEnough, withinMs, missing) {
      const latest = performance.now() + withinMs
      while (!isEnough(await heard())) {
        if (performance.now() > latest) throw new Error(missing)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
      return all
    },
    speak: (speak) => void worker.send({ speak } satisfies ReceiverCommand),
    end: () => void worker.kill(),
  }
}
