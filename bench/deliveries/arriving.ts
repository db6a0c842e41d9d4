import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { sqliteStorage } from '@sales-crm/sqlite'
import { tokenFor } from '../data.ts'
import { median } from '../rounds.ts'
import { startService } from '../servers.ts'
import { createFixture, subscribe } from './fixture.ts'
import { now } from './now.ts'
import { startBenchReceiver, trustSettings } from './receiving.ts'

const TRIES = 200
const WARMING = 20
/** From one try to the next, so that each finds the service idle. */
const PAUSE_MS = 25

/** Medians of milliseconds until a delivery stands at the receiver's door. */
export interface Delays {
  readonly sinceAnswer: number
  readonly sinceRequest: number
}

/** How long after a write its event arrives, of a service that has nothing else to do. */
export async function measureArrival(folder: string): Promise<Delays> {
  const { port, arrival } = await startBenchReceiver(true)
  const file = join(folder, 'arriving.db')
  const storage = await sqliteStorage({ file })
  const place = await createFixture(storage)
  await subscribe(place, `https://127.0.0.1:${port}/`)
  await storage.close()
  const token = await tokenFor(`sqlite:${file}`)
  const service = await startService(`sqlite:${file}`, folder, [], trustSettings(folder))

  const body = JSON.stringify(place.task)
  const agent = new Agent({ keepAlive: true })
  const [sinceAnswer, sinceRequest]: [number[], number[]] = [[], []]
  for (let index = 0; index < WARMING + TRIES; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const arrived = arrival()
    const asked = now()
    const answered = await createTask(service.port, token, body, agent)
    const at = await arrived
    if (index < WARMING) continue
    sinceAnswer.push(at - answered)
    sinceRequest.push(at - asked)
  }
  agent.destroy()
  await service.stop()
  return { sinceAnswer: median(sinceAnswer), sinceRequest: median(sinceRequest) }
}

/** Makes a task, and gives when the answer said so. */
async function createTask(port: number, token: string, body: string, agent: Agent): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asking = request({ host: '127.0.0.1', port, path: '/v1/tasks', method: 'POST', headers, agent })
  asking.end(body)
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const at = now()
  if (answer.statusCode !== 201) throw new Error(`A task was answered with ${answer.statusCode}.`)
  await once(answer.resume(), 'end')
  return at
}
