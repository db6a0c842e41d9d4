import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LAB_CERTIFICATE, LAB_KEY } from '../../packages/node/test/outbound-http/certificate.ts'
import { monotonicNow, serveJobs } from '../jobs.ts'

/** The receiver of deliveries, as a process of its own. */
export interface ReceiverJob {
  readonly waitFor: 'port' | 'arrival' | 'idle'
}

const ARRIVAL_TIMEOUT_MS = 20_000
const IDLE_MS = 250

let lastArrival = 0
const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
  lastArrival = monotonicNow()
  request.resume().once('end', () => response.end())
})
server.keepAliveTimeout = 60_000
const listening = once(server.listen(0, '127.0.0.1'), 'listening')

serveJobs(async ({ waitFor }: ReceiverJob): Promise<number> => {
  await listening
  if (waitFor === 'port') return (server.address() as AddressInfo).port
  if (waitFor === 'arrival')
    await once(server, 'request', { signal: AbortSignal.timeout(ARRIVAL_TIMEOUT_MS) })
  else while (monotonicNow() < lastArrival + IDLE_MS) await sleep(IDLE_MS / 5)
  return lastArrival
})
