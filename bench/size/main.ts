import { fillWorkspace } from '../data.ts'
import { DATABASES, type DatabaseName, type Databases, openDatabases } from '../databases.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import {
  boundedMeasure,
  openWorkspace,
  ROW_NAMES,
  ROWS,
  type Row,
  requestPage,
  type Workspace,
} from './rows.ts'
import { openScanner, type Scanner } from './scan.ts'

/** Measures the same requests with a thousand and with many records, in alternation. */
const SMALLEST = 1_000
const COMPANY_SIZE = 10
/** A sample is the mean of as many calls. */
const CALLS = 10

await runProgram(main)

async function main(): Promise<void> {
  const { records, rounds, only, row, isFullRun } = readOptions({
    numbers: { records: 1_000_000, rounds: 21 },
    choices: { only: DATABASES, row: ROW_NAMES },
  })
  const facts = collectMachineFacts()
  const head = [
    'database',
    'request',
    `ms at ${records}`,
    'compared with',
    'ms',
    'ratio, or ms',
    'target',
    '',
  ]
  const lines: string[][] = []
  for (const name of only) {
    const databases = await openDatabases(name, createFolder())
    facts.push(databases.version)
    const smallest = await createWorkspace(databases, SMALLEST)
    const largest = await createWorkspace(databases, records)
    for (const each of ROWS.filter((each) => row.includes(each.name)))
      lines.push(await measureRow(name, each, smallest, largest, rounds))
    await Promise.all([smallest, largest].map(({ workspace }) => workspace.close()))
    await largest.scanner.close()
  }
  facts.push(
    `a workspace of ${records} people, deals and tasks each, and one of ${SMALLEST}, asked through the core in this process`,
    `${rounds} rounds in alternation; medians`,
  )
  publishReport({ name: 'size', title: 'Size', tables: [formatTable(head, lines)], facts }, isFullRun)
}

interface StoredWorkspace {
  readonly workspace: Workspace
  readonly scanner: Scanner
}

async function createWorkspace(databases: Databases, size: number): Promise<StoredWorkspace> {
  const counts = { companies: size / COMPANY_SIZE, people: size, deals: size, tasks: size }
  const [url, data] = await databases.create(`size_${size}`, (storage) => fillWorkspace(storage, counts))
  return { workspace: await openWorkspace(url, data, size), scanner: await openScanner(url) }
}

async function measureRow(
  name: DatabaseName,
  row: Row,
  smallest: StoredWorkspace,
  largest: StoredWorkspace,
  rounds: number,
): Promise<string[]> {
  console.error(`${name}: ${row.title} …`)
  const { workspace, scanner } = largest
  const { page, comparedWith } = row
  const runComparison = async (call: number) => {
    if (!page) return row.run(smallest.workspace, call)
    if (comparedWith === 'scan and first page') await scanner.scan(workspace, page)
    return requestPage(workspace, page, 1)
  }
  const { ours, theirs } = await measureInRounds(
    { ours: createSample((call) => row.run(workspace, call)), theirs: createSample(runComparison) },
    rounds,
  )
  const ratio = medianRatio(ours, theirs)
  return [
    name,
    row.title,
    median(ours).toFixed(2),
    page ? comparedWith : `the same at ${SMALLEST}`,
    median(theirs).toFixed(2),
    ...formatMeasure(boundedMeasure(row, name, ratio, median(ours))),
  ]
}

/** Returns a function that measures the milliseconds of a call. */
function createSample(run: (call: number) => Promise<unknown>): () => Promise<number> {
  let call = 0
  return async () => {
    const startedAt = performance.now()
    for (let index = 0; index < CALLS; index += 1) await run(call++)
    return (performance.now() - startedAt) / CALLS
  }
}
