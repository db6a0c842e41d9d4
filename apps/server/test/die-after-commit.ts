import type { Storage } from '@sales-crm/core/ports'
import { call, openService } from './harness.ts'
import { openPlace, type Place } from './place.ts'

interface Errand {
  readonly place: Place
  readonly path: string
  readonly body: unknown
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a request to a service that is killed once the first transaction is committed, and before it answers. */
const { place, path, body, token, headers } = JSON.parse(process.argv[2]!) as Errand
const storage = await openPlace(place)
const dying: Storage = {
  ...storage,
  async transact(work) {
    const result = await storage.transact(work)
    process.kill(process.pid, 'SIGKILL')
    return result
  },
}
await call((await openService(dying)).app, 'POST', path, body, { token, headers })
console.log('answered')
