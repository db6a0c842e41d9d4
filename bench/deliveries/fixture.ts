import { join } from 'node:path'
import type { Storage } from '@sales-crm/core/ports'
import { type Data, fillWorkspace, type RecordCounts } from '../data.ts'
import { openStorage } from '../databases.ts'

const RECORDS: RecordCounts = { companies: 1, people: 1, deals: 1, tasks: 0 }

/** Creates a SQLite database with the records that a task refers to. */
export async function createDatabase(
  folder: string,
  name: string,
): Promise<{ readonly url: string; readonly storage: Storage; readonly data: Data }> {
  const url = `sqlite:${join(folder, `${name}.db`)}`
  const storage = await openStorage(url)
  return { url, storage, data: await fillWorkspace(storage, RECORDS) }
}
