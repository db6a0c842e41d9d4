import type { Storage } from '@sales-crm/core/ports'
import { newId, nodePorts } from '@sales-crm/node'
import { seed } from '../../apps/server/src/demo/seed/seed.ts'
import { fillWorkspace, SLUG } from '../data.ts'
import { DATABASES, type Databases, openDatabases, openStorage } from '../databases.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { BATCH, openRawTable, type RawTable } from './raw-inserts.ts'

/**
 * Measures `crm seed` against raw inserts of the same rows, in alternation. The raw inserts go to the same
 * table of another database, so that both tables grow alike.
 */
const HEAD = ['database', '`crm seed` /s', 'raw inserts /s', 'ratio', 'target', '']
const MIN_RATIO = 0.5
const ROUNDS = 10
const TABLE = 'people'
const NO_RECORDS = { companies: 0, people: 0, deals: 0, tasks: 0, activities: 0 }

await runProgram(main)

async function main(): Promise<void> {
  const { records, only, isFullRun } = readOptions({
    numbers: { records: 100_000 },
    choices: { only: DATABASES },
  })
  const facts = collectMachineFacts()
  const count = Math.ceil(records / ROUNDS / BATCH) * BATCH
  const lines: string[][] = []
  for (const name of only) {
    console.error(`${name} …`)
    const databases = await openDatabases(name, createFolder())
    lines.push(await measureDatabase(databases, count))
  }
  facts.push(`${count * ROUNDS} people in ${ROUNDS} rounds in alternation; medians`)
  publishReport(
    { name: 'bulk', title: 'People in bulk', tables: [formatTable(HEAD, lines)], facts },
    isFullRun,
  )
}

async function measureDatabase(databases: Databases, count: number): Promise<string[]> {
  const [url] = await databases.create('seeded', async (storage) => {
    await fillWorkspace(storage, { ...NO_RECORDS, companies: BATCH })
    await seedPeople(storage, count)
  })
  const rawTable = await openRawTable(await databases.copy(url, 'raw'), TABLE)
  const templates = await rawTable.readRows(count)
  const storage = await openStorage(url)
  const measureRate = async (work: () => Promise<void>) => {
    const startedAt = performance.now()
    await work()
    return (count * 1000) / (performance.now() - startedAt)
  }
  const rates = await measureInRounds(
    {
      seed: () => measureRate(() => seedPeople(storage, count)),
      raw: () => {
        const rows = withNewIds(rawTable, templates)
        return measureRate(() => rawTable.insert(rows))
      },
    },
    ROUNDS,
  )
  await Promise.all([rawTable.close(), storage.close()])
  return [
    databases.version,
    median(rates.seed).toFixed(0),
    median(rates.raw).toFixed(0),
    ...formatMeasure({ value: medianRatio(rates.seed, rates.raw), atLeast: MIN_RATIO }),
  ]
}

function seedPeople(storage: Storage, people: number): Promise<void> {
  return seed({ ...nodePorts(), storage }, { workspace: SLUG, counts: { ...NO_RECORDS, people } })
}

function withNewIds({ columns }: RawTable, rows: readonly unknown[][]): unknown[][] {
  const [id, code] = [columns.indexOf('id'), columns.indexOf('entity_id')]
  return rows.map((row) => row.with(id, newId()).with(code, newId()))
}
