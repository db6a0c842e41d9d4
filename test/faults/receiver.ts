import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startWorker } from '../../bench/processes.ts'
import type { ReceivedDelivery, ReceiverCommand, ReceiverMessage } from './receiver-process.ts'

const WORKER = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))
const POLL_MS = 50

export interface Receiver {
  /** Returns a URL of the receiver. The path selects its behaviour: see `receiver-process.ts`. */
  url(path: string): string
  /** Returns all deliveries received so far, in order. */
  listDeliveries(): Promise<readonly ReceivedDelivery[]>
  /**
   * Waits until the received deliveries are sufficient and returns them.
   * @throws Error with the message `missing` after the timeout
   */
  waitFor(
    isSufficient: (deliveries: readonly ReceivedDelivery[]) => boolean,
    timeoutMs: number,
    missing: string,
  ): Promise<readonly ReceivedDelivery[]>
  /** Sets whether `/silent` is answered, including pending requests. Initially it is not. */
  setAnswering(isAnswering: boolean): void
  stop(): void
}

/** Starts a receiver of webhook deliveries, over TLS on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const worker = startWorker(WORKER)
  const [message] = (await once(worker, 'message')) as [ReceiverMessage]
  if (!('port' in message)) throw new Error("The receiver's first message was not its port.")
  const received: ReceivedDelivery[] = []

  async function listDeliveries(): Promise<readonly ReceivedDelivery[]> {
    worker.send({ from: received.length } satisfies ReceiverCommand)
    const [next] = (await once(worker, 'message')) as [ReceiverMessage]
    if ('deliveries' in next) received.push(...next.deliveries)
    return received
  }

  return {
    url: (path) => `https://127.0.0.1:${message.port}${path}`,
    listDeliveries,
    async waitFor(isSufficient, timeoutMs, missing) {
      const deadline = performance.now() + timeoutMs
      while (!isSufficient(await listDeliveries())) {
        if (performance.now() > deadline) throw new Error(missing)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      return received
    },
    setAnswering: (isAnswering) => void worker.send({ isAnswering } satisfies ReceiverCommand),
    stop: () => void worker.kill(),
  }
}
