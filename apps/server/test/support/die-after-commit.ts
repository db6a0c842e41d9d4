import type { Storage } from '@sales-crm/core/ports'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { openService, sendRequest } from './test-service.ts'

interface ScriptInput {
  readonly database: DatabaseLocation
  readonly path: string
  readonly body: unknown
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a request to a service that kills itself after its first commit, before it responds. */
const { database, path, body, token, headers } = JSON.parse(process.argv[2]!) as ScriptInput
const storage = await openStorageAt(database)
const crashingStorage: Storage = {
  ...storage,
  async transact(work) {
    const result = await storage.transact(work)
    process.kill(process.pid, 'SIGKILL')
    return result
  },
}
await sendRequest((await openService(crashingStorage)).app, 'POST', path, body, { token, headers })
console.log('responded')
