import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { type SeedEntity, seed } from '../apps/server/src/demo/seed/seed.ts'
import { ISSUER, openStorage, SECRET_KEY, SLUG } from './data.ts'
import { machineFacts } from './machine.ts'
import { runProgram } from './program.ts'
import { type RawTable, rawTables } from './raw-inserts.ts'
import { median } from './rounds.ts'
import type { DatabaseName } from './rows.ts'
import { databasesOf } from './size/databases.ts'

/**
 * Has `seed` add people, in turn with raw inserts of the same rows into the same table of another database, many rows a statement and
 * one transaction a batch: so both tables grow alike.
 */
const USAGE = 'npm run bench:bulk -- [--people 100000] [--only sqlite|postgres]'
const RESULTS = new URL('./results/bulk.md', import.meta.url)
const WHOLE = 100_000
const ROUNDS = 10
const WANTED = 0.5
const NOTHING = { companies: 0, people: 0, deals: 0, tasks: 0, activities: 0 }
const COMPANIES = 1_000
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']
const KIND: SeedEntity = 'people'

interface Outcome {
  readonly database: string
  /** People a second. */
  readonly seeded: number
  readonly raw: number
  readonly ratio: number
}

await runProgram(main)

async function main(): Promise<void> {
  const { people, only } = options()
  const facts = machineFacts()
  const outcomes: Outcome[] = []
  for (const name of DATABASES.filter((each) => only === undefined || only === each)) {
    const outcome = await measured(name, Math.ceil(people / ROUNDS))
    if (outcome) outcomes.push(outcome)
    else facts.push('PostgreSQL left out: npm has none for this machine')
  }
  const text = [
    '| database | `crm seed` /s | raw inserts /s | ratio | target | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(
      ({ database, seeded, raw, ratio }) =>
        `| ${database} | ${seeded.toFixed(0)} | ${raw.toFixed(0)} | ${ratio.toFixed(2)} | ≥ ${WANTED} | ${verdict(ratio)} |`,
    ),
    '',
    ...facts.map((fact) => `- ${fact}`),
    `- ${people} people in ${ROUNDS} rounds in alternation; medians`,
    '',
  ].join('\n')
  console.log(`\n${text}`)
  if (only !== undefined || people < WHOLE) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# People in bulk, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

async function measured(name: DatabaseName, each: number): Promise<Outcome | undefined> {
  const databases = await databasesOf(name)
  if (!databases) return undefined
  const { url } = await databases.make('seeded', async (storage) => {
    const crm = createCrm({ ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER }), storage })
    await crm.operator.createWorkspace({
      name: 'Bench',
      slug: SLUG,
      owner_name: 'Olga',
      owner_email: 'olga@bench.example',
    })
    const ports = { ...nodePorts(), storage }
    await seed(ports, { workspace: SLUG, counts: { ...NOTHING, companies: COMPANIES } })
  })
  const [from, to] = await rawTables(name, KIND, url)
  const storage = await openStorage(url)
  const made: string[] = []
  const { newId, ...ports } = nodePorts()
  const noting = { ...ports, storage, newId: () => made[made.push(newId()) - 1]! }
  const add = () => seed(noting, { workspace: SLUG, counts: { ...NOTHING, [KIND]: each } })
  const times: { readonly seeded: number; readonly raw: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    made.length = 0
    const seeded = await timed(add)
    const raw = await timed(insertedBy(to, await from.rowsOf(made)))
    // The first is for warming up.
    if (round > 0) times.push({ seeded, raw })
    console.error(`${name}: ${round} of ${ROUNDS}, ${(raw / seeded).toFixed(2)}`)
  }
  await Promise.all([from.close(), to.close(), storage.close()])
  return {
    database: databases.version,
    seeded: (each * 1000) / median(times.map((time) => time.seeded)),
    raw: (each * 1000) / median(times.map((time) => time.raw)),
    ratio: median(times.map((time) => time.raw / time.seeded)),
  }
}

function insertedBy(table: RawTable, rows: readonly (readonly unknown[])[]): () => Promise<void> {
  return () => table.insert(rows)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function verdict(ratio: number): string {
  const shown = Number(ratio.toFixed(2))
  if (shown >= WANTED) return 'met'
  return shown >= WANTED / 2 ? 'at least half' : 'below half'
}

function options(): { readonly people: number; readonly only: string | undefined } {
  try {
    const { values } = parseArgs({ options: { people: { type: 'string' }, only: { type: 'string' } } })
    const people = Number(values.people ?? WHOLE)
    if (!Number.isInteger(people) || people < ROUNDS)
      throw new Error(`--people must be a whole number from ${ROUNDS}.`)
    if (values.only !== undefined && !DATABASES.some((each) => each === values.only))
      throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
    return { people, only: values.only }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(2)
  }
}
