import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { Server } from '../../bench/processes.ts'
import { measureHeap } from '../../bench/soak/memory.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { compareLatency, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

/**
 * Number of bad clients of each kind. The service closes a stalled connection after one minute, or two if the
 * request has begun. A brief run shortens these timeouts.
 */
const COUNT = { brief: 12, thorough: 24 }
const RELEASE_SECONDS = { brief: 20, thorough: 150 }
const SHORT_TIMEOUTS = fileURLToPath(new URL('./shorten-timeouts.ts', import.meta.url))

/** A page of these tasks is larger than 1 MiB. */
const [TASKS, NOTES] = [100, '\u{1f4de}'.repeat(3000)]
/** The maximum of pipelined requests on a connection, and a number above it. */
const [PIPELINED, EXCESSIVE] = [20, 2_000]
const ROUNDS = { brief: 3, thorough: 100 }
const BYTE_INTERVAL_MS = 100
/** Maximum growth of resident memory: a few copies of each unread response, and a constant part. */
const maxGrowthMib = (clients: number) => 150 + 6 * clients

/** A bad client takes few resources, and only for a limited time. */
export const slowClients: Fault = {
  name: 'slow-clients',
  title: 'clients that send byte by byte, stall, never read, or pipeline without limit',
  databases: ['sqlite'],
  async run(environment, effort) {
    await createLargeTasks(environment)
    const service = await environment.startService(
      heapSettings(environment.folder, ...(effort === 'brief' ? [SHORT_TIMEOUTS] : [])),
    )
    const caller = { port: service.port, token: environment.token }
    const callsBefore = await measureGoodCalls(caller, sleepSeconds(1))
    const heapBefore = await measureHeap(service.pid, environment.folder)
    const baseline = readUsage(service.pid)
    const usageWatch = watchUsage(service.pid)
    const clients = Array.from({ length: COUNT[effort] }, () =>
      openBadClients(service, environment.token),
    ).flat()
    const pipelining = pipelineRequests(service, environment.token, ROUNDS[effort])
    const release = pipelining.then(() =>
      expectReleased(service.pid, baseline, RELEASE_SECONDS[effort], 'the arrival of bad clients'),
    )
    const callsDuring = await measureGoodCalls(caller, release).finally(() => {
      for (const client of clients) client.destroy()
    })
    const peak = usageWatch.stop()
    if (baseline && peak) {
      const maxMib = maxGrowthMib(COUNT[effort])
      const growth = peak.memoryMib - baseline.memoryMib
      if (growth > maxMib)
        throw new Error(
          `Bad clients increased resident memory by ${growth.toFixed(0)} MiB; the maximum is ${maxMib}.`,
        )
    }
    const heapSummary = await expectHeapReleased(service.pid, environment.folder, heapBefore, 'bad clients')
    await service.stop()
    return `${clients.length} bad clients, all disconnected; ${compareLatency(callsDuring, callsBefore)}; peak ${peak?.memoryMib.toFixed(0) ?? '?'} MiB, ${heapSummary}`
  },
}

/** Opens one bad client of each kind. */
function openBadClients({ port }: Server, token: string): readonly Socket[] {
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: crm.example\r\nAuthorization: Bearer ${token}\r\n`
  const open = (first: string, repeated?: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    if (first !== '') socket.write(first)
    if (repeated === undefined) return socket
    socket.resume()
    const timer = setInterval(() => socket.write(repeated), BYTE_INTERVAL_MS)
    socket.once('close', () => clearInterval(timer))
    return socket
  }
  const postHead = `${head('POST /v1/tasks')}Content-Type: application/json\r\n`
  return [
    open('GET /v1/tasks HTTP/1.1\r\nX-Slow: ', 'a'),
    open(`${postHead}Content-Length: 100000\r\n\r\n{"title":"`, 'a'),
    open(`${postHead}Transfer-Encoding: chunked\r\n\r\na\r\n{"title":"\r\n`, '1\r\na\r\n'),
    open(''),
    open(`${postHead}Content-Length: 100\r\n\r\n{"title":"half`),
    // These clients never read, so their responses stay in the service.
    open(`${head('GET /v1/tasks?per_page=100')}\r\n`.repeat(PIPELINED)),
    open(`${head('GET /v1/tasks?per_page=100')}\r\n`.repeat(EXCESSIVE)),
  ]
}

/**
 * Sends the maximum of pipelined requests over one connection, round after round.
 * @throws Error unless each is answered 200
 */
function pipelineRequests({ port }: Server, token: string, rounds: number): Promise<void> {
  const requests =
    `GET /v1/tasks?per_page=1 HTTP/1.1\r\nHost: crm.example\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(
      PIPELINED,
    )
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let [okCount, rest] = [0, '']
    socket.on('error', reject)
    socket.on('close', () =>
      reject(new Error(`The connection was closed after ${okCount} of ${rounds * PIPELINED} responses.`)),
    )
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop()!
      for (const _ of lines.filter((line) => line.includes('HTTP/1.1 200 '))) {
        okCount += 1
        if (okCount === rounds * PIPELINED) resolve(void socket.end())
        else if (okCount % PIPELINED === 0) socket.write(requests)
      }
    })
    socket.write(requests)
  })
}

function createLargeTasks({ withCore }: FaultEnvironment): Promise<unknown> {
  return withCore(async ({ crm }) => {
    const actor = await crm.operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })
    await Promise.all(
      Array.from({ length: TASKS }, (_, index) =>
        crm.tasks.create(actor, { title: `Task ${index}`, notes: NOTES }),
      ),
    )
  })
}
