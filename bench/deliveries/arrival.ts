import { setTimeout as sleep } from 'node:timers/promises'
import { createAccessToken } from '../data.ts'
import { monotonicNow } from '../jobs.ts'
import { median } from '../rounds.ts'
import { createTaskInput } from '../rows.ts'
import { startService } from '../servers.ts'
import { createDatabase } from './fixture.ts'
import { startBenchReceiver, trustSettings } from './receiving.ts'

const TRIES = 200
const WARM_UP = 20
/** Pause between two tries, so that each finds the service idle. */
const PAUSE_MS = 25

/**
 * Measures the delay from a write to its delivery, on an idle service.
 * @returns median milliseconds from the response to the arrival at the receiver
 */
export async function measureArrival(folder: string): Promise<number> {
  const receiver = await startBenchReceiver()
  const { url, data } = await createDatabase(folder, 'arrival')
  const token = await createAccessToken(url, `https://127.0.0.1:${receiver.port}/`)
  const service = await startService(url, folder, [], trustSettings(folder))
  const request = {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(createTaskInput(data, 0)),
  }
  const delays: number[] = []
  for (let index = 0; index < WARM_UP + TRIES; index += 1) {
    const arrival = receiver.nextArrival()
    await sleep(PAUSE_MS)
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/tasks`, request)
    const respondedAt = monotonicNow()
    if (response.status !== 201) throw new Error(`The creation of a task was answered ${response.status}.`)
    await response.body?.cancel()
    const arrivedAt = await arrival
    if (index >= WARM_UP) delays.push(arrivedAt - respondedAt)
  }
  await service.stop()
  return median(delays)
}
