import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../../bench/processes.ts'
import { createCalls } from '../write-calls.ts'
import type { RecordCall } from './record-history.ts'

/** Pause of each caller between two calls. */
const PAUSE_MS = 20
const INITIAL_NAME = 'Version 0'

/** The result of a caller that repeats a write until it succeeds. */
export interface RepeatedWrite {
  readonly startedAt: number
  readonly endedAt: number
}

/** Callers that read and write one company, over each of several processes. */
export interface RecordCallers {
  readonly initialName: string
  /** Stops after the calls in flight, and returns all calls except those that certainly had no effect. */
  stop(): Promise<readonly RecordCall[]>
  /** Returns when the last write over a process succeeded, by `performance.now()`. */
  lastSuccess(port: number): number
  /**
   * Returns the longest time in seconds that a write over a process took from its first try after `since` until it
   * succeeded.
   */
  longestWrite(port: number, since: number): number
}

/** Starts one reader and one writer over each process. */
export async function startRecordCallers(
  token: string,
  services: readonly Pick<Server, 'port'>[],
): Promise<RecordCallers> {
  const ports = services.map(({ port }) => port)
  const path = `/v1/companies/${await createCompany(token, ports[0]!)}`
  const calls: RecordCall[] = []
  const writes = new Map(ports.map((port) => [port, [] as RepeatedWrite[]]))
  let versions = 0
  let isStopped = false

  async function write(port: number): Promise<void> {
    const { call } = createCalls(token, [port])
    let firstTry: number | undefined
    while (!isStopped) {
      versions += 1
      const name = `Version ${versions}`
      const startedAt = performance.now()
      firstTry ??= startedAt
      const { outcome } = await call('PATCH', path, { full_name: name })
      const endedAt = performance.now()
      if (outcome !== 'rejected')
        calls.push({
          kind: 'write',
          value: name,
          startedAt,
          endedAt: outcome === 'success' ? endedAt : Infinity,
        })
      if (outcome === 'success') {
        writes.get(port)!.push({ startedAt: firstTry, endedAt })
        firstTry = undefined
      }
      await sleep(PAUSE_MS)
    }
  }

  async function read(port: number): Promise<void> {
    const { call } = createCalls(token, [port])
    while (!isStopped) {
      const startedAt = performance.now()
      const result = await call('GET', path)
      const endedAt = performance.now()
      if (result.outcome === 'success')
        calls.push({ kind: 'read', value: readCompany(result.text).full_name, startedAt, endedAt })
      await sleep(PAUSE_MS)
    }
  }

  const running = ports.flatMap((port) => [write(port), read(port)])
  return {
    initialName: INITIAL_NAME,
    async stop() {
      isStopped = true
      await Promise.all(running)
      return calls
    },
    lastSuccess: (port) => writes.get(port)!.at(-1)?.endedAt ?? 0,
    longestWrite(port, since) {
      const later = writes.get(port)!.filter(({ endedAt }) => endedAt > since)
      return (
        Math.max(0, ...later.map(({ startedAt, endedAt }) => endedAt - Math.max(startedAt, since))) / 1000
      )
    },
  }
}

async function createCompany(token: string, port: number): Promise<string> {
  const result = await createCalls(token, [port]).call('POST', '/v1/companies', { full_name: INITIAL_NAME })
  if (result.outcome !== 'success') throw new Error('The company could not be created.')
  return readCompany(result.text).id
}

function readCompany(text: string): { readonly id: string; readonly full_name: string } {
  return (JSON.parse(text) as { readonly data: { readonly id: string; readonly full_name: string } }).data
}
