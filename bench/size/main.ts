import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectMachineFacts } from '../machine.ts'
import { renderSvg } from '../plot.ts'
import { readOptionsOrExit, runProgram } from '../program.ts'
import { type Databases, openDatabases } from './databases.ts'
import { measureSizes, type Result, type StoredWorkspace } from './many-sizes.ts'
import { type CrowdedResult, measureAmongMany, RECORDS_EACH } from './many-workspaces.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import {
  createSizesPlot,
  describeCrowded,
  describeSizes,
  formatCrowdedTable,
  formatSizesTable,
  summarizeVerdicts,
} from './report.ts'
import { ROWS } from './rows.ts'
import { type FilledWorkspace, fillWorkspace } from './workspace.ts'

/**
 * Measures the same requests on small and large databases, in alternation. A cost that grows with the
 * database indicates a scan.
 */
await runProgram(main)

async function main(): Promise<void> {
  const options = readOptionsOrExit(USAGE, () => readOptions(process.argv.slice(2)))
  const rows = ROWS.filter(({ title }) => options.row === undefined || title.includes(options.row))
  if (rows.length === 0) throw new Error(`No row's title contains "${options.row}".`)
  const facts = collectMachineFacts()
  const results: Result[] = []
  const crowded: CrowdedResult[] = []
  for (const name of options.databases) {
    const databases = await openDatabases(name)
    if (!databases) {
      facts.push('PostgreSQL skipped: npm has none for this machine')
      continue
    }
    facts.push(databases.version)
    const sizes: StoredWorkspace[] = []
    for (const size of options.sizes) sizes.push(await fillSize(databases, size, facts))
    results.push(...(await measureSizes(name, sizes, rows, options.rounds, log)))
    if (options.workspaces === 0) continue
    const [alone, among] = [
      await fillWorkspaces(databases, 1, facts),
      await fillWorkspaces(databases, options.workspaces, facts),
    ]
    crowded.push(...(await measureAmongMany(name, alone, among, rows, options.rounds, log)))
  }
  writeReport(results, crowded, facts, options)
}

async function fillSize(databases: Databases, size: number, facts: string[]): Promise<StoredWorkspace> {
  let filled: FilledWorkspace | undefined
  const startedAt = performance.now()
  const { url, megabytes } = await databases.create(`size_${size}`, async (storage) => {
    const onProgress = (kind: string, created: number) => {
      if (created % 50_000 === 0)
        log(`${databases.name}: ${created} of ${size} ${kind}, ${secondsSince(startedAt)} s`)
    }
    filled = await fillWorkspace(storage, 'bench', size, { onProgress })
  })
  facts.push(
    `${databases.name}: ${size} of each kind created in ${secondsSince(startedAt)} s, ${megabytes} MB`,
  )
  return { url, filled: filled! }
}

/** Creates a database with a number of workspaces, and returns the one in the middle. */
async function fillWorkspaces(
  databases: Databases,
  count: number,
  facts: string[],
): Promise<StoredWorkspace> {
  let filled: FilledWorkspace | undefined
  const startedAt = performance.now()
  const { url, megabytes } = await databases.create(`many_${count}`, async (storage) => {
    for (let index = 0; index < count; index += 1) {
      const each = await fillWorkspace(storage, `bench-${index}`, RECORDS_EACH)
      if (index === count >> 1) filled = each
      if ((index + 1) % 50 === 0)
        log(`${databases.name}: ${index + 1} of ${count} workspaces, ${secondsSince(startedAt)} s`)
    }
  })
  facts.push(
    `${databases.name}: ${count} workspaces of ${RECORDS_EACH} of each kind created in ${secondsSince(startedAt)} s, ${megabytes} MB`,
  )
  return { url, filled: filled! }
}

function writeReport(
  results: readonly Result[],
  crowded: readonly CrowdedResult[],
  facts: readonly string[],
  options: Options,
): void {
  const { sizes, workspaces, rounds, results: folder } = options
  const workspacesPart =
    crowded.length === 0
      ? []
      : [
          '## Many workspaces',
          '',
          describeCrowded(workspaces),
          '',
          formatCrowdedTable(crowded, workspaces),
          '',
        ]
  const text = [
    `# Size, ${new Date().toISOString().slice(0, 10)}`,
    '',
    describeSizes(sizes, rounds),
    '',
    summarizeVerdicts(results),
    '',
    '![Cost against size](size.svg)',
    '',
    formatSizesTable(results, sizes),
    '',
    ...workspacesPart,
    '## The machine',
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
  ].join('\n')
  console.log(text)
  if (folder === undefined) {
    log('Not written: that requires a full run, or --results.')
    return
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'size.md'), text)
  writeFileSync(join(folder, 'size.svg'), renderSvg(createSizesPlot(results)))
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}

function log(text: string): void {
  console.error(text)
}
