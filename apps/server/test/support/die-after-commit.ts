import type { Storage } from '@sales-crm/core/ports'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { openService, sendRequest } from './test-service.ts'

interface ScriptInput {
  readonly place: DatabaseLocation
  readonly path: string
  readonly body: unknown
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a request to a service that is killed once the first transaction is committed, and before it answers. */
const { place, path, body, token, headers } = JSON.parse(process.argv[2]!) as ScriptInput
const storage = await openStorageAt(place)
const crashingStorage: Storage = {
  ...storage,
  async transact(work) {
    const result = await storage.transact(work)
    process.kill(process.pid, 'SIGKILL')
    return result
  },
}
await sendRequest((await openService(crashingStorage)).app, 'POST', path, body, { token, headers })
console.log('answered')
