import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Import } from '@sales-crm/client'
import type { Server } from '../processes.ts'
import { readResidentMegabytes } from '../usage.ts'

const POLL_MS = 100

export interface ImportSample {
  /** Records written per second. */
  readonly rate: number
  /** Seconds from the press of the button to the last row. */
  readonly seconds: number
  /** Resident memory above that before the upload. */
  readonly megabytes: number
  readonly created: number
}

/** Sends a file to a service and runs it, without a change of what is proposed. */
export async function runImport(
  server: Server,
  token: string,
  file: Uint8Array<ArrayBuffer>,
): Promise<ImportSample> {
  const { imports } = createClient({ url: `http://127.0.0.1:${server.port}`, token })
  const idle = readResidentMegabytes(server.pid)
  const { id } = await imports.upload({ name: 'people.csv' }, file)
  let peak = 0
  const waitFor = async (states: readonly Import['state'][]): Promise<Import> => {
    for (;;) {
      const current = await imports.get(id)
      peak = Math.max(peak, readResidentMegabytes(server.pid))
      if (states.includes(current.state)) return current
      if (['unreadable', 'paused'].includes(current.state)) throw new Error(JSON.stringify(current.problem))
      await sleep(POLL_MS)
    }
  }
  await waitFor(['ready'])
  await imports.run(id)
  const done = await waitFor(['done'])
  const created = Object.values(done.counts).reduce((sum, count) => sum + (count?.created ?? 0), 0)
  const seconds = (Date.parse(done.ended_at!) - Date.parse(done.started_at!)) / 1000
  return { rate: created / seconds, seconds, megabytes: peak - idle, created }
}
