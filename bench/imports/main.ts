import { createClient } from '@sales-crm/client'
import type { Storage } from '@sales-crm/core/ports'
import { createAccessToken, createCrmOn, fillWorkspace } from '../data.ts'
import { DATABASES, type DatabaseName, openDatabases } from '../databases.ts'
import { type JobProcess, startJobProcess } from '../jobs.ts'
import type { LoadJob, Sample } from '../load.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, type Measure, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { startService } from '../servers.ts'
import { CUSTOM_FIELDS, writePeopleFile } from './file.ts'
import { insertRows, readTables, type StoredTable } from './raw-inserts.ts'
import { type ImportSample, runImport } from './run-import.ts'

/** Compares imports and batches with inserts of the same rows, and what others see beside an import. */
const ROWS = ['import', 'batch', 'beside'] as const
const [MIN_IMPORT_RATIO, MAX_MEGABYTES, MAX_SECONDS] = [0.5, 200, 60]
const [MIN_BATCH_RATIO, MIN_BATCH_SPEEDUP] = [0.6, 3]
const MAX_SLOWDOWN = 2
const BATCH_OPERATIONS = 100
const LOAD_SECONDS = 3
/** Others are measured beside a file of this part of the people. */
const BESIDE_PART = 5

await runProgram(main)

interface Bench {
  readonly name: DatabaseName
  readonly folder: string
  readonly rounds: number
  readonly people: number
  readonly generator: JobProcess<LoadJob, Sample>
  /** A new database with the workspace, and an access token for it. */
  create(name: string): Promise<{ readonly url: string; readonly token: string }>
}

async function main(): Promise<void> {
  const { people, rounds, only, row, isFullRun } = readOptions({
    numbers: { people: 30_000, rounds: 2 },
    choices: { only: DATABASES, row: ROWS },
  })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const generator = startJobProcess<LoadJob, Sample>(new URL('../load.ts', import.meta.url))
  const lines: string[][] = []
  for (const name of only) {
    const databases = await openDatabases(name, folder)
    facts.push(databases.version)
    const [base] = await databases.create('base', createFields)
    const create = async (copy: string) => {
      const url = await databases.copy(base, copy)
      return { url, token: await createAccessToken(url) }
    }
    const bench: Bench = { name, folder, rounds, people, generator, create }
    for (const each of row) {
      console.error(`${name}: ${each} …`)
      const measures = each === 'import' ? measureImport : each === 'batch' ? measureBatch : measureBeside
      for (const [title, measure] of await measures(bench))
        lines.push([databases.name, title, ...formatMeasure(measure)])
    }
  }
  facts.push(
    `a file of ${people} people at ${people / 10} companies with three custom fields; ${rounds} rounds in alternation; medians`,
    'inserts: a prepared statement a row into the same tables, 100 rows a transaction; those of imports do not wait for the disk',
  )
  const table = formatTable(['database', 'measure', 'value', 'target', ''], lines)
  publishReport({ name: 'imports', title: 'Imports and batches', tables: [table], facts }, isFullRun)
}

async function createFields(storage: Storage): Promise<void> {
  const { actor } = await fillWorkspace(storage, { companies: 0, people: 0, deals: 0, tasks: 0 })
  const { customFields } = createCrmOn(storage)
  for (const field of CUSTOM_FIELDS) await customFields.create(actor, field)
}

type Row = readonly [title: string, measure: Measure]

async function measureImport(bench: Bench): Promise<readonly Row[]> {
  const file = writePeopleFile(bench.people)
  let tables: readonly StoredTable[] | undefined
  const samples = await measureInRounds<ImportSample | number, 'service' | 'inserts'>(
    {
      service: async () => {
        const { url, token } = await bench.create('imported')
        const server = await startService(url, bench.folder, profileOptions())
        const sample = await runImport(server, token, file)
        await server.stop()
        tables ??= await readTables(url)
        return sample
      },
      inserts: async () => insertRows((await bench.create('inserted')).url, tables!),
    },
    bench.rounds,
  )
  const ours = samples.service as readonly ImportSample[]
  const rates = ours.map(({ rate }) => rate)
  const inserts = samples.inserts as readonly number[]
  const seconds = median(ours.map((each) => each.seconds))
  return [
    ['import, records /s', { value: median(rates), digits: 0 }],
    ['inserts, rows /s', { value: median(inserts), digits: 0 }],
    ['import / inserts', { value: medianRatio(rates, inserts), atLeast: MIN_IMPORT_RATIO }],
    [
      'duration of the import',
      bench.name === 'sqlite'
        ? { value: seconds, atMost: MAX_SECONDS, unit: 's', digits: 0 }
        : { value: seconds, unit: 's', digits: 0 },
    ],
    [
      'memory above that of the idle service',
      { value: median(ours.map(({ megabytes }) => megabytes)), atMost: MAX_MEGABYTES, unit: 'MB', digits: 0 },
    ],
  ]
}

/** A profile of the service, for a look at where its time goes. */
function profileOptions(): readonly string[] {
  const folder = process.env['PROFILE_FOLDER']
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/** People with a company, an address, a number and three custom values, as the file has them. */
function buildPeople(round: number): readonly object[] {
  return Array.from({ length: BATCH_OPERATIONS }, (_, index) => ({
    full_name: `Ana Almeida ${round} ${index}`,
    emails: [{ email: `p${round}-${index}@mail.example` }],
    phones: [{ phone: `+55 11 9${String(round).padStart(4, '0')}-${String(index).padStart(4, '0')}` }],
    position: 'Buyer',
    custom_fields: [
      { key: 'segment', value: 'Retail' },
      { key: 'seats', value: index },
      { key: 'customer_since', value: '2020-01-10' },
    ],
  }))
}

async function measureBatch(bench: Bench): Promise<readonly Row[]> {
  const { url, token } = await bench.create('batched')
  const server = await startService(url, bench.folder, profileOptions())
  const { people } = createClient({ url: `http://127.0.0.1:${server.port}`, token })
  let count = 0
  const time = async (work: (records: readonly object[]) => Promise<unknown>) => {
    count += 1
    const records = buildPeople(count)
    const startedAt = performance.now()
    await work(records)
    return BATCH_OPERATIONS / ((performance.now() - startedAt) / 1000)
  }
  const batch = () =>
    time((records) =>
      people.batch({ operations: records.map((record) => ({ op: 'create', record })) as never }),
    )
  for (let warmUp = 0; warmUp < 30; warmUp += 1) await batch()
  const copies = await readTables(url)
  const inserted = await bench.create('inserted')
  let start = 0
  const { ours, alone, inserts } = await measureInRounds(
    {
      ours: batch,
      alone: () =>
        time(async (records) => {
          for (const record of records) await people.create(record as never)
        }),
      inserts: async () => {
        const rows = copies.find(({ name }) => name === 'people')!.rows.slice(start, start + BATCH_OPERATIONS)
        start += BATCH_OPERATIONS
        return insertRows(inserted.url, [{ name: 'people', rows }], { isDurable: true })
      },
    },
    Math.max(bench.rounds, 15),
  )
  await server.stop()
  return [
    ['batch of 100 creates, records /s', { value: median(ours), digits: 0 }],
    ['batch / inserts', { value: medianRatio(ours, inserts), atLeast: MIN_BATCH_RATIO }],
    ['batch / calls one after another', { value: medianRatio(ours, alone), atLeast: MIN_BATCH_SPEEDUP }],
  ]
}

/** What a caller with one connection waits for a person, beside an import and without. */
async function measureBeside(bench: Bench): Promise<readonly Row[]> {
  const { url, token } = await bench.create('beside')
  const server = await startService(url, bench.folder)
  const client = createClient({ url: `http://127.0.0.1:${server.port}`, token })
  const { id } = await client.people.create({ full_name: 'Ana' })
  const load = () =>
    bench.generator.run({
      ...{ ports: [server.port], token, connections: 1, seconds: LOAD_SECONDS, status: 200 },
      requests: [{ method: 'GET', path: `/v1/people/${id}` }],
    })
  await load()
  const alone = await load()
  const running = runImport(server, token, writePeopleFile(bench.people / BESIDE_PART))
  const samples: number[] = []
  let isDone = false
  const end = () => {
    isDone = true
  }
  running.then(end, end)
  while (!isDone) samples.push((await load()).latency)
  await running
  await server.stop()
  // The last one is in part of a service at rest.
  const beside = median(samples.slice(0, -1))
  return [
    ["others' GET, alone", { value: alone.latency, unit: 'ms' }],
    ["others' GET beside an import / alone", { value: beside / alone.latency, atMost: MAX_SLOWDOWN }],
  ]
}
