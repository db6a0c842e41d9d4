import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { Server } from '../../bench/processes.ts'
import { heapOf } from '../../bench/soak/memory.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { compareLatency, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

/**
 * Of each kind of bad client. The service gives up what stands still after a minute, or two where the
 * beginning was taken; a brief run hastens that.
 */
const COUNT = { brief: 12, thorough: 24 }
const SECONDS_TO_END = { brief: 20, thorough: 150 }
const HASTEN = fileURLToPath(new URL('./shorten-timeouts.ts', import.meta.url))

/** A page of these is more than a mebibyte. */
const [TASKS, NOTES] = [100, '\u{1f4de}'.repeat(3000)]
/** As many as may wait on one connection, and more than anybody may have waiting. */
const [PIPELINED, ENDLESS] = [100, 2_000]
const ROUNDS = { brief: 3, thorough: 100 }
const BYTE_EVERY_MS = 100
/**
 * What the service may hold more: for each answer that nobody takes a few copies of it, and the rest for
 * itself.
 */
const mibFor = (clients: number) => 150 + 6 * clients

/** What a single bad client can have of the service is little, and only for a while. */
export const slowClients: Fault = {
  name: 'slow-clients',
  title: 'clients that send byte by byte, vanish, never read, or ask without end',
  databases: ['sqlite'],
  async run(place, effort) {
    await makeLargeTasks(place)
    const service = await place.start(heapSettings(place.folder, ...(effort === 'brief' ? [HASTEN] : [])))
    const caller = { port: service.port, token: place.token }
    const before = await measureGoodCalls(caller, sleepSeconds(1))
    const heap = await heapOf(service.pid, place.folder)
    const held = readUsage(service.pid)
    const watched = watchUsage(service.pid)
    const clients = Array.from({ length: COUNT[effort] }, () => badClients(service, place.token)).flat()
    const flooded = askAtOnce(service, place.token, ROUNDS[effort])
    const gone = flooded.then(() =>
      expectReleased(service.pid, held, SECONDS_TO_END[effort], 'bad clients came'),
    )
    const during = await measureGoodCalls(caller, gone).finally(() => {
      for (const client of clients) client.destroy()
    })
    const most = watched.most()
    if (held && most) {
      const bound = mibFor(COUNT[effort])
      const more = most.memoryMib - held.memoryMib
      if (more > bound)
        throw new Error(
          `Bad clients had the service hold ${more.toFixed(0)} MiB more; ${bound} is what they may.`,
        )
    }
    const kept = await expectHeapReleased(service.pid, place.folder, heap, 'Bad clients')
    await service.stop()
    return `${clients.length} bad clients, all gone; ${compareLatency(during, before)}; ${most?.memoryMib.toFixed(0) ?? '?'} MiB at most, ${kept}`
  },
}

/** One of each kind. */
function badClients({ port }: Server, token: string): readonly Socket[] {
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: crm.example\r\nAuthorization: Bearer ${token}\r\n`
  const open = (first: string, each?: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    if (first !== '') socket.write(first)
    if (each === undefined) return socket
    socket.resume()
    const timer = setInterval(() => socket.write(each), BYTE_EVERY_MS)
    socket.once('close', () => clearInterval(timer))
    return socket
  }
  const posting = `${head('POST /v1/tasks')}Content-Type: application/json\r\n`
  return [
    open('GET /v1/tasks HTTP/1.1\r\nX-Slow: ', 'a'),
    open(`${posting}Content-Length: 100000\r\n\r\n{"title":"`, 'a'),
    open(`${posting}Transfer-Encoding: chunked\r\n\r\na\r\n{"title":"\r\n`, '1\r\na\r\n'),
    open(''),
    open(`${posting}Content-Length: 100\r\n\r\n{"title":"half`),
    // Nobody listens for what these are answered, so that it stays where it is.
    open(`${head('GET /v1/tasks?per_page=100')}\r\n`.repeat(PIPELINED)),
    open(`${head('GET /v1/tasks?per_page=100')}\r\n`.repeat(ENDLESS)),
  ]
}

/**
 * One connection that asks as many things at once as it may, over and over.
 * @throws Error unless each is answered with a 200
 */
function askAtOnce({ port }: Server, token: string, rounds: number): Promise<void> {
  const asked =
    `GET /v1/tasks?per_page=1 HTTP/1.1\r\nHost: crm.example\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(
      PIPELINED,
    )
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let [good, rest] = [0, '']
    socket.on('error', reject)
    socket.on('close', () =>
      reject(
        new Error(
          `Of ${rounds * PIPELINED} calls on one connection ${good} were answered before it was closed.`,
        ),
      ),
    )
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop()!
      for (const _ of lines.filter((line) => line.includes('HTTP/1.1 200 '))) {
        good += 1
        if (good === rounds * PIPELINED) resolve(void socket.end())
        else if (good % PIPELINED === 0) socket.write(asked)
      }
    })
    socket.write(asked)
  })
}

function makeLargeTasks({ look }: FaultEnvironment): Promise<unknown> {
  return look(async ({ crm }) => {
    const actor = await crm.operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })
    await Promise.all(
      Array.from({ length: TASKS }, (_, index) =>
        crm.tasks.create(actor, { title: `Task ${index}`, notes: NOTES }),
      ),
    )
  })
}
