import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { type SeedEntity, seed } from '../apps/server/src/demo/seed/seed.ts'
import { ISSUER, openStorage, SECRET_KEY, SLUG } from './data.ts'
import { collectMachineFacts } from './machine.ts'
import { runProgram } from './program.ts'
import { openRawTables, type RawTable } from './raw-inserts.ts'
import { median } from './rounds.ts'
import type { DatabaseName } from './rows.ts'
import { openDatabases } from './size/databases.ts'

/**
 * Measures `crm seed` against raw inserts of the same rows, in alternation. The raw inserts go to the same
 * table of another database, many rows per statement and a transaction per batch, so both tables grow alike.
 */
const USAGE = 'npm run bench:bulk -- [--people 100000] [--only sqlite|postgres]'
const RESULTS = new URL('./results/bulk.md', import.meta.url)
const FULL_RUN = 100_000
const ROUNDS = 10
const TARGET = 0.5
const NO_RECORDS = { companies: 0, people: 0, deals: 0, tasks: 0, activities: 0 }
const COMPANIES = 1_000
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']
const KIND: SeedEntity = 'people'

interface Outcome {
  readonly database: string
  /** People per second. */
  readonly seeded: number
  readonly raw: number
  readonly ratio: number
}

await runProgram(main)

async function main(): Promise<void> {
  const { people, only } = options()
  const facts = collectMachineFacts()
  const outcomes: Outcome[] = []
  for (const name of DATABASES.filter((database) => only === undefined || only === database)) {
    const outcome = await measureSeed(name, Math.ceil(people / ROUNDS))
    if (outcome) outcomes.push(outcome)
    else facts.push('PostgreSQL skipped: npm has none for this machine')
  }
  const text = [
    '| database | `crm seed` /s | raw inserts /s | ratio | target | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(
      ({ database, seeded, raw, ratio }) =>
        `| ${database} | ${seeded.toFixed(0)} | ${raw.toFixed(0)} | ${ratio.toFixed(2)} | ≥ ${TARGET} | ${verdict(ratio)} |`,
    ),
    '',
    ...facts.map((fact) => `- ${fact}`),
    `- ${people} people in ${ROUNDS} rounds in alternation; medians`,
    '',
  ].join('\n')
  console.log(`\n${text}`)
  if (only !== undefined || people < FULL_RUN) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# People in bulk, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

async function measureSeed(name: DatabaseName, peoplePerRound: number): Promise<Outcome | undefined> {
  const databases = await openDatabases(name)
  if (!databases) return undefined
  const { url } = await databases.create('seeded', async (storage) => {
    const crm = createCrm({ ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER }), storage })
    await crm.operator.createWorkspace({
      name: 'Bench',
      slug: SLUG,
      owner_name: 'Olga',
      owner_email: 'olga@bench.example',
    })
    const ports = { ...nodePorts(), storage }
    await seed(ports, { workspace: SLUG, counts: { ...NO_RECORDS, companies: COMPANIES } })
  })
  const [original, copy] = await openRawTables(name, KIND, url)
  const storage = await openStorage(url)
  const createdIds: string[] = []
  const { newId, ...ports } = nodePorts()
  const recordingPorts = { ...ports, storage, newId: () => createdIds[createdIds.push(newId()) - 1]! }
  const runSeed = () =>
    seed(recordingPorts, { workspace: SLUG, counts: { ...NO_RECORDS, [KIND]: peoplePerRound } })
  const times: { readonly seeded: number; readonly raw: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    createdIds.length = 0
    const seeded = await measureMs(runSeed)
    const raw = await measureMs(createInsert(copy, await original.readRows(createdIds)))
    // The first round is the warm-up.
    if (round > 0) times.push({ seeded, raw })
    console.error(`${name}: ${round} of ${ROUNDS}, ${(raw / seeded).toFixed(2)}`)
  }
  await Promise.all([original.close(), copy.close(), storage.close()])
  return {
    database: databases.version,
    seeded: (peoplePerRound * 1000) / median(times.map((time) => time.seeded)),
    raw: (peoplePerRound * 1000) / median(times.map((time) => time.raw)),
    ratio: median(times.map((time) => time.raw / time.seeded)),
  }
}

function createInsert(table: RawTable, rows: readonly (readonly unknown[])[]): () => Promise<void> {
  return () => table.insert(rows)
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function verdict(ratio: number): string {
  const shown = Number(ratio.toFixed(2))
  if (shown >= TARGET) return 'met'
  return shown >= TARGET / 2 ? 'at least half' : 'below half'
}

function options(): { readonly people: number; readonly only: string | undefined } {
  try {
    const { values } = parseArgs({ options: { people: { type: 'string' }, only: { type: 'string' } } })
    const people = Number(values.people ?? FULL_RUN)
    if (!Number.isInteger(people) || people < ROUNDS)
      throw new Error(`--people must be a whole number from ${ROUNDS}.`)
    if (values.only !== undefined && !DATABASES.some((database) => database === values.only))
      throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
    return { people, only: values.only }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(2)
  }
}
