import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Latencies, MonitorData } from './neighbour.ts'

// A thread that calls the service for another workspace, and measures each call.
const { port, token } = workerData as MonitorData
const PATHS = ['/v1/tasks?per_page=10', '/v1/people?search=ana', '/v1/workspace']
const PAUSE_MS = 5

let worst: Latencies = { health: 0, neighbour: 0 }

async function measure(path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  await response.text()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}.`)
  return performance.now() - startedAt
}

async function repeat(record: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; ; round += 1) {
    await record(round)
    await pause(PAUSE_MS)
  }
}

parentPort!.on('message', () => {
  parentPort!.postMessage(worst)
  worst = { health: 0, neighbour: 0 }
})
void repeat(async () => {
  worst = { ...worst, health: Math.max(worst.health, await measure('/healthz')) }
})
void repeat(async (round) => {
  const path = PATHS[round % PATHS.length]!
  worst = { ...worst, neighbour: Math.max(worst.neighbour, await measure(path)) }
})
