import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { heapOf } from '../../bench/soak/memory.ts'
import type { Fault } from './fault.ts'
import { compareLatency, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

const COUNT = { brief: 2_000, thorough: 10_000 }
/** Of open files, for what else this process and the service have open. */
const SPARE = 500
/** Opened together, so that none waits in vain for a place in the queue of the door. */
const AT_ONCE = 200
const USED = 'GET /healthz HTTP/1.1\r\nHost: crm.example\r\n\r\n'
/** Of an idle connection. */
const MOST_KIB = 40
/** The service waits five seconds for the next request, and looks every two. */
const SECONDS_TO_END = 30
const KIB = 1024

/** Connections that are kept for later cost a little memory each, and nobody else anything. */
export const idleConnections: Fault = {
  name: 'idle-connections',
  title: 'thousands of idle connections',
  databases: ['sqlite'],
  async run(place, effort) {
    const count = Math.min(COUNT[effort], maxOpenFiles() - SPARE)
    const service = await place.start(heapSettings(place.folder))
    const caller = { port: service.port, token: place.token }
    const before = await measureGoodCalls(caller, sleepSeconds(1))
    const heap = await heapOf(service.pid, place.folder)
    const held = readUsage(service.pid)
    const watched = watchUsage(service.pid)

    const sockets: Socket[] = []
    while (sockets.length < count) {
      const more = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () =>
        connect(service.port, '127.0.0.1'),
      )
      for (const socket of more) socket.on('error', () => {})
      sockets.push(...more)
      await Promise.all(more.map((socket) => once(socket, 'connect')))
    }
    for (let first = 0; first < count; first += AT_ONCE)
      await Promise.all(sockets.slice(first, first + AT_ONCE).map(useConnection))
    const most = watched.most()

    const during = await measureGoodCalls(caller, sleepSeconds(2))
    await measureGoodCalls(
      caller,
      expectReleased(service.pid, held, SECONDS_TO_END, `${count} connections were used`),
    )
    if (sockets.some(({ closed }) => !closed))
      throw new Error(
        'Of an idle connection the service says that it is closed, and its caller has not heard of it.',
      )
    const kept = await expectHeapReleased(service.pid, place.folder, heap, 'Idle connections')
    await service.stop()
    if (!held || !most) return `${count} idle connections; ${compareLatency(during, before)}`
    const atOnce = most.openFiles - held.openFiles
    const each = ((most.memoryMib - held.memoryMib) * KIB) / atOnce
    if (each > MOST_KIB)
      throw new Error(`An idle connection costs ${each.toFixed(1)} KiB; ${MOST_KIB} is what it may.`)
    return `${atOnce} idle connections at once at ${each.toFixed(1)} KiB each, all gone, ${kept}; ${compareLatency(during, before)}`
  },
}

/** Asks once, as whoever keeps a connection has done, unless it was closed for want of that. */
function useConnection(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['data', 'close']) socket.once(event, () => resolve())
    if (socket.destroyed) resolve()
    else socket.write(USED)
  })
}

/** How many files a process may have open here: Node raises its own limit to the machine's. */
function maxOpenFiles(): number {
  try {
    const hard = /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
  } catch {
    return COUNT.brief
  }
}
