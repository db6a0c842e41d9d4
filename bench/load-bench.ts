import { type Data, fillWorkspace } from './data.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { type JobProcess, startJobProcess } from './jobs.ts'
import type { LoadJob, Sample } from './load.ts'
import { RECORDS, type Row } from './rows.ts'

/** A database with records, and the load generator. */
export interface LoadBench {
  readonly databases: Databases
  readonly data: Data
  /** The URL of the database with the records, which is copied for each variant. */
  readonly url: string
  readonly folder: string
  readonly rounds: number
  /** Duration of a sample. */
  readonly seconds: number
  readonly generator: JobProcess<LoadJob, Sample>
}

export async function openLoadBench(
  name: DatabaseName,
  options: Pick<LoadBench, 'folder' | 'rounds' | 'seconds'>,
): Promise<LoadBench> {
  const databases = await openDatabases(name, options.folder)
  const [url, data] = await databases.create('filled', (storage) => fillWorkspace(storage, RECORDS))
  const generator = startJobProcess<LoadJob, Sample>(new URL('./load.ts', import.meta.url))
  return { ...options, databases, data, url, generator }
}

/** Returns a function that sends a row's requests to the ports and returns the sample. */
export function createLoad(
  { generator, data, seconds }: Pick<LoadBench, 'generator' | 'data' | 'seconds'>,
  row: Row,
  ports: readonly number[],
  token: string,
  changes?: Pick<LoadJob, 'status'> & { translate(requests: LoadJob['requests']): LoadJob['requests'] },
): () => Promise<Sample> {
  const { connections, status } = row
  let run = 0
  return () => {
    run += 1
    const requests = row.requests(data, run)
    const job = { ports, token, seconds, connections }
    return generator.run(
      changes
        ? { ...job, status: changes.status, requests: changes.translate(requests) }
        : { ...job, status, requests },
    )
  }
}
