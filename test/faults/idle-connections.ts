import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { measureHeap } from '../../bench/soak/memory.ts'
import type { Fault } from './fault.ts'
import { compareLatency, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

const COUNT = { brief: 2_000, thorough: 10_000 }
/** Open files reserved for everything else in this process and the service. */
const RESERVED_FILES = 500
/** Number of connections opened at once, small enough for the listen backlog. */
const BATCH_SIZE = 200
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: crm.example\r\n\r\n'
/** Maximum resident memory per idle connection. */
const MAX_KIB = 40
/** The service closes a connection after five seconds without a request, and checks every two. */
const RELEASE_SECONDS = 30
const KIB = 1024

/** Idle connections cost little memory each, and do not slow down other callers. */
export const idleConnections: Fault = {
  name: 'idle-connections',
  title: 'thousands of idle connections',
  databases: ['sqlite'],
  async run(environment, effort) {
    const count = Math.min(COUNT[effort], maxOpenFiles() - RESERVED_FILES)
    const service = await environment.startService(heapSettings(environment.folder))
    const caller = { port: service.port, token: environment.token }
    const callsBefore = await measureGoodCalls(caller, sleepSeconds(1))
    const heapBefore = await measureHeap(service.pid, environment.folder)
    const baseline = readUsage(service.pid)
    const usageWatch = watchUsage(service.pid)

    const sockets: Socket[] = []
    while (sockets.length < count) {
      const batch = Array.from({ length: Math.min(BATCH_SIZE, count - sockets.length) }, () =>
        connect(service.port, '127.0.0.1'),
      )
      for (const socket of batch) socket.on('error', () => {})
      sockets.push(...batch)
      await Promise.all(batch.map((socket) => once(socket, 'connect')))
    }
    for (let first = 0; first < count; first += BATCH_SIZE)
      await Promise.all(sockets.slice(first, first + BATCH_SIZE).map(useConnection))
    const peak = usageWatch.stop()

    const callsDuring = await measureGoodCalls(caller, sleepSeconds(2))
    await measureGoodCalls(
      caller,
      expectReleased(service.pid, baseline, RELEASE_SECONDS, `the use of ${count} connections`),
    )
    if (sockets.some(({ closed }) => !closed))
      throw new Error('The service released an idle connection without closing it for its caller.')
    const heapSummary = await expectHeapReleased(
      service.pid,
      environment.folder,
      heapBefore,
      'idle connections',
    )
    await service.stop()
    if (!baseline || !peak) return `${count} idle connections; ${compareLatency(callsDuring, callsBefore)}`
    const openConnections = peak.openFiles - baseline.openFiles
    const kibEach = ((peak.memoryMib - baseline.memoryMib) * KIB) / openConnections
    if (kibEach > MAX_KIB)
      throw new Error(`An idle connection takes ${kibEach.toFixed(1)} KiB; the maximum is ${MAX_KIB}.`)
    return `${openConnections} idle connections at once at ${kibEach.toFixed(1)} KiB each, all closed, ${heapSummary}; ${compareLatency(callsDuring, callsBefore)}`
  },
}

/**
 * Sends one request, as an idle keep-alive connection has done, unless the service has closed the connection.
 */
function useConnection(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['data', 'close']) socket.once(event, () => resolve())
    if (socket.destroyed) resolve()
    else socket.write(REQUEST)
  })
}

/** Returns the maximum number of open files of a process. Node.js raises its soft limit to the hard limit. */
function maxOpenFiles(): number {
  try {
    const hardLimit = /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return hardLimit === undefined || hardLimit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hardLimit)
  } catch {
    return COUNT.brief
  }
}
