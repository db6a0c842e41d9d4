import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts'
import { freePort, killProcess, type OnFinished, runScript, temporaryFolder } from './service-process.ts'
import type { ReceivedRequest, ReceiverOptions } from './webhook-receiver-script.ts'

export interface Envelope {
  readonly id: string
  readonly event: string
  readonly version: string
  readonly created_at: string
  readonly [entity: string]: unknown
}

export interface ReceivedDelivery extends Omit<ReceivedRequest, 'bytes'> {
  readonly body: string
  readonly envelope: Envelope
}

const SCRIPT = fileURLToPath(new URL('./webhook-receiver-script.ts', import.meta.url))

/** Starts a receiver that can be killed and restarted. Received deliveries are kept across restarts. */
export async function startWebhookReceiver(finished: OnFinished = onTestFinished) {
  const path = await temporaryFolder(finished)
  const options: ReceiverOptions = { port: await freePort(), file: join(path, 'received') }
  const ca = join(path, 'ca.pem')
  writeFileSync(ca, RECEIVER_CERTIFICATE)
  writeFileSync(options.file, '')
  const { readAll: receivedDeliveries } = tailFile(options.file, finished)
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = runScript(SCRIPT, [JSON.stringify(options)], { finished })
    await once(child.stdout!, 'data')
  }

  await start()
  return {
    /** A CA file for a process of the service. */
    ca,
    url: (path: string) => `https://127.0.0.1:${options.port}${path}`,
    all: receivedDeliveries,
    /** Resolves with all received deliveries once `isEnough` accepts them. */
    async waitUntil(
      isEnough: (received: readonly ReceivedDelivery[]) => boolean,
    ): Promise<readonly ReceivedDelivery[]> {
      while (!isEnough(receivedDeliveries())) await setTimeout(20)
      return receivedDeliveries()
    },
    kill: () => killProcess(child!),
    start,
  }
}

/** Reads the lines of a growing file. */
function tailFile(file: string, finished: OnFinished) {
  const descriptor = openSync(file, 'r')
  finished(() => closeSync(descriptor))
  const chunk = Buffer.alloc(1_000_000)
  const received: ReceivedDelivery[] = []
  let rest = ''
  return {
    readAll(): readonly ReceivedDelivery[] {
      for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
        const lines = (rest + chunk.toString('latin1', 0, length)).split('\n')
        rest = lines.pop() ?? ''
        received.push(...lines.map(parseDelivery))
      }
      return received
    },
  }
}

function parseDelivery(line: string): ReceivedDelivery {
  const { bytes, ...rest } = JSON.parse(line) as ReceivedRequest
  const body = Buffer.from(bytes, 'base64').toString()
  return { ...rest, body, envelope: JSON.parse(body) as Envelope }
}
