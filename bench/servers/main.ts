import { postgresStorage } from '@sales-crm/postgres'
import { startPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { startStandby } from '../../packages/postgres/test/standby.ts'
import { createCitusDatabase, dropCitusDatabase, listWorkers } from '../citus.ts'
import { createAccessToken, type Data, fillWorkspace } from '../data.ts'
import { connectPostgres } from '../databases.ts'
import { startJobProcess } from '../jobs.ts'
import type { LoadJob, Sample } from '../load.ts'
import { createLoad, type LoadBench } from '../load-bench.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { onExit } from '../processes.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { findRow, RECORDS, type Row } from '../rows.ts'
import { startService } from '../servers.ts'

/**
 * Compares one server with a replica beside it, and with Citus. All servers share this machine: the ratios tell what a
 * call costs, and not what further machines add.
 */
const READS = ['get', 'list'].map(findRow)
const CALLS = ['get', 'list', 'post', 'patch', 'post-1'].map(findRow)
const MAX_WORKERS = 3

type Bench = Pick<LoadBench, 'folder' | 'rounds' | 'seconds' | 'generator'>

/** A database on one server or several. */
interface Variant {
  readonly name: string
  readonly url: string
  readonly data: Data
  readonly settings?: Readonly<Record<string, string>>
}

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, seconds, isFullRun } = readOptions({ numbers: { rounds: 7, seconds: 2 } })
  const facts = collectMachineFacts()
  const generator = startJobProcess<LoadJob, Sample>(new URL('../load.ts', import.meta.url))
  const bench = { folder: createFolder(), rounds, seconds, generator }
  const replica = await startReplicated()
  const tables = [await measure(bench, READS, replica)]
  const clusterUrl = process.env['CITUS_URL']
  if (clusterUrl) tables.push(await measure(bench, CALLS, await createDistributed(clusterUrl)))
  else facts.push('Citus is left out: CITUS_URL is not set')
  facts.push(`rounds: ${rounds}, ${seconds} s for each in alternation; medians`)
  publishReport({ name: 'servers', title: 'Several database servers', tables, facts }, isFullRun)
}

/** A database, without and with a replica that reads go to. */
async function startReplicated(): Promise<Variant[]> {
  const leader = await startPostgres({ durable: true })
  if (!leader) throw new Error('npm has no PostgreSQL for this machine.')
  onExit(leader.stop)
  const data = await fill(leader.url)
  const standby = await startStandby(leader)
  onExit(standby.stop)
  const { url } = leader
  return [
    { name: 'one server', url, data },
    { name: 'with a replica', url, data, settings: { DATABASE_READ_URL: standby.url } },
  ]
}

/** A database without Citus on the coordinator, and databases that are distributed over one worker and more. */
async function createDistributed(clusterUrl: string): Promise<Variant[]> {
  const workers = Math.min((await listWorkers(clusterUrl)).length, MAX_WORKERS)
  const variants: Variant[] = []
  for (let count = 0; count <= workers; count += 1) {
    const servers = await createCitusDatabase(clusterUrl, count)
    onExit(() => dropCitusDatabase(servers))
    const { url } = servers.coordinator
    const name = count === 0 ? 'coordinator alone' : `${count} ${count === 1 ? 'worker' : 'workers'}`
    if (count > 0) await distribute(url)
    variants.push({ name, url, data: await fill(url) })
  }
  return variants
}

async function distribute(url: string): Promise<void> {
  const storage = await postgresStorage({ url })
  await storage.distribute()
  await storage.close()
}

async function fill(url: string): Promise<Data> {
  const storage = await postgresStorage({ url })
  const data = await fillWorkspace(storage, RECORDS)
  await storage.close()
  const client = await connectPostgres(url)
  await client.query('vacuum (analyze)')
  await client.end()
  return data
}

/** Measures the variants in alternation: their rate, or their latency, and its ratio to that of the first. */
async function measure(bench: Bench, rows: readonly Row[], variants: readonly Variant[]): Promise<string> {
  const lines: string[][] = []
  for (const row of rows) {
    console.error(`${row.name} …`)
    const loads: Record<string, () => Promise<number>> = {}
    const services = []
    for (const { name, url, data, settings } of variants) {
      const token = await createAccessToken(url)
      const service = await startService(url, bench.folder, [], settings)
      services.push(service)
      const load = createLoad({ ...bench, data }, row, [service.port], token)
      loads[name] = async () => (await load())[row.compares]
    }
    const samples = await measureInRounds(loads, bench.rounds)
    await Promise.all(services.map((service) => service.stop()))
    const [first] = variants
    lines.push([
      row.title,
      row.compares === 'rate' ? '/s' : 'ms',
      ...variants.flatMap(({ name }, index) => {
        const value = median(samples[name]!).toFixed(row.compares === 'rate' ? 0 : 2)
        return index === 0 ? [value] : [value, medianRatio(samples[name]!, samples[first!.name]!).toFixed(2)]
      }),
    ])
  }
  const heads = variants.flatMap(({ name }, index) => (index === 0 ? [name] : [name, 'ratio']))
  return formatTable(['request', '', ...heads], lines)
}
