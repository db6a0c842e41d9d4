import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { sqliteStorage } from '@sales-crm/sqlite'
import { createAccessToken } from '../data.ts'
import { median } from '../rounds.ts'
import { startService } from '../servers.ts'
import { createFixture, subscribe } from './fixture.ts'
import { monotonicNow } from './now.ts'
import { startBenchReceiver, trustSettings } from './receiving.ts'

const TRIES = 200
const WARM_UP = 20
/** Pause between two tries, so that each finds the service idle. */
const PAUSE_MS = 25

/** Median milliseconds until a delivery reaches the receiver. */
export interface Delays {
  readonly sinceResponse: number
  readonly sinceRequest: number
}

/** Measures the delay from a write to its delivery, on an idle service. */
export async function measureArrival(folder: string): Promise<Delays> {
  const { port, nextArrival } = await startBenchReceiver(true)
  const file = join(folder, 'arriving.db')
  const storage = await sqliteStorage({ file })
  const fixture = await createFixture(storage)
  await subscribe(fixture, `https://127.0.0.1:${port}/`)
  await storage.close()
  const token = await createAccessToken(`sqlite:${file}`)
  const service = await startService(`sqlite:${file}`, folder, [], trustSettings(folder))

  const body = JSON.stringify(fixture.task)
  const agent = new Agent({ keepAlive: true })
  const [sinceResponse, sinceRequest]: [number[], number[]] = [[], []]
  for (let index = 0; index < WARM_UP + TRIES; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const arrivalPromise = nextArrival()
    const requestedAt = monotonicNow()
    const respondedAt = await createTask(service.port, token, body, agent)
    const arrivedAt = await arrivalPromise
    if (index < WARM_UP) continue
    sinceResponse.push(arrivedAt - respondedAt)
    sinceRequest.push(arrivedAt - requestedAt)
  }
  agent.destroy()
  await service.stop()
  return { sinceResponse: median(sinceResponse), sinceRequest: median(sinceRequest) }
}

/** Creates a task and returns the time of the response. */
async function createTask(port: number, token: string, body: string, agent: Agent): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = request({ host: '127.0.0.1', port, path: '/v1/tasks', method: 'POST', headers, agent })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const time = monotonicNow()
  if (response.statusCode !== 201)
    throw new Error(`The creation of a task was answered ${response.statusCode}.`)
  await once(response.resume(), 'end')
  return time
}
