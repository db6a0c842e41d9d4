import { fillWorkspace, type RecordCounts } from '../data.ts'
import { openDatabases } from '../databases.ts'
import { startService } from '../servers.ts'

/** Deals are in five open stages, and three of four have a task. */
export const RECORDS: RecordCounts = { companies: 1_000, people: 100_000, deals: 500, tasks: 375 }

/** Fills a database in the folder, starts the service on it and returns the service's address. */
export async function startConsoleService(folder: string): Promise<string> {
  const databases = await openDatabases('sqlite', folder)
  const [url] = await databases.create('console', (storage) => fillWorkspace(storage, RECORDS))
  // Without a base URL, it is the address that the service listens on.
  const { port } = await startService(url, folder, [], { BASE_URL: '' })
  return `http://127.0.0.1:${port}`
}
