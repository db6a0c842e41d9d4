import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Finished, folder, freePort, killed, runScript } from './processes.ts'
import type { Errand, Heard } from './receiver.ts'
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts'

export interface Envelope {
  readonly id: string
  readonly event: string
  readonly version: string
  readonly created_at: string
  readonly [entity: string]: unknown
}

export interface Received extends Omit<Heard, 'bytes'> {
  readonly body: string
  readonly envelope: Envelope
}

const SCRIPT = fileURLToPath(new URL('./receiver.ts', import.meta.url))

/** A receiver of deliveries that can be killed and started again, and forgets nothing it has answered. */
export async function startReceiver(finished: Finished = onTestFinished) {
  const path = await folder(finished)
  const errand: Errand = { port: await freePort(), file: join(path, 'heard') }
  const ca = join(path, 'ca.pem')
  writeFileSync(ca, RECEIVER_CERTIFICATE)
  writeFileSync(errand.file, '')
  const { all } = tailOf(errand.file, finished)
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = runScript(SCRIPT, [JSON.stringify(errand)], { finished })
    await once(child.stdout!, 'data')
  }

  await start()
  return {
    /** A file of who is trusted, for a process of the service. */
    ca,
    url: (answer: string) => `https://127.0.0.1:${errand.port}${answer}`,
    all,
    /** All that was heard, once it is enough. */
    async until(isEnough: (received: readonly Received[]) => boolean): Promise<readonly Received[]> {
      while (!isEnough(all())) await setTimeout(20)
      return all()
    },
    kill: () => killed(child!),
    start,
  }
}

/** The lines of a file that grows. */
function tailOf(file: string, finished: Finished) {
  const descriptor = openSync(file, 'r')
  finished(() => closeSync(descriptor))
  const chunk = Buffer.alloc(1_000_000)
  const received: Received[] = []
  let rest = ''
  return {
    all(): readonly Received[] {
      for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
        const lines = (rest + chunk.toString('latin1', 0, length)).split('\n')
        rest = lines.pop() ?? ''
        received.push(...lines.map(receivedIn))
      }
      return received
    },
  }
}

function receivedIn(line: string): Received {
  const { bytes, ...rest } = JSON.parse(line) as Heard
  const body = Buffer.from(bytes, 'base64').toString()
  return { ...rest, body, envelope: JSON.parse(body) as Envelope }
}
