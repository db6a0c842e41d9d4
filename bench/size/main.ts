import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machineFacts } from '../machine.ts'
import { svgOf } from '../plot.ts'
import { optionsOr, runProgram } from '../program.ts'
import { type Databases, databasesOf } from './databases.ts'
import { measureSizes, type Result, type Sized } from './many-sizes.ts'
import { type Crowded, measureAmongMany, RECORDS_EACH } from './many-workspaces.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { aboutCrowded, aboutSizes, crowdedTable, sizesPlot, sizesTable, summary } from './report.ts'
import { ROWS } from './rows.ts'
import { type Filled, fillWorkspace } from './workspace.ts'

/** Asks the same questions of small and of large databases, in turn: what costs more where there is more walks what it should not. */
await runProgram(main)

async function main(): Promise<void> {
  const options = optionsOr(USAGE, () => readOptions(process.argv.slice(2)))
  const rows = ROWS.filter(({ title }) => options.row === undefined || title.includes(options.row))
  if (rows.length === 0) throw new Error(`No row's title holds "${options.row}".`)
  const facts = machineFacts()
  const results: Result[] = []
  const crowded: Crowded[] = []
  for (const name of options.databases) {
    const databases = await databasesOf(name)
    if (!databases) {
      facts.push('PostgreSQL left out: npm has none for this machine')
      continue
    }
    facts.push(databases.version)
    const sizes: Sized[] = []
    for (const size of options.sizes) sizes.push(await sizeOf(databases, size, facts))
    results.push(...(await measureSizes(name, sizes, rows, options.rounds, say)))
    if (options.workspaces === 0) continue
    const [alone, among] = [
      await manyOf(databases, 1, facts),
      await manyOf(databases, options.workspaces, facts),
    ]
    crowded.push(...(await measureAmongMany(name, alone, among, rows, options.rounds, say)))
  }
  report(results, crowded, facts, options)
}

async function sizeOf(databases: Databases, size: number, facts: string[]): Promise<Sized> {
  let filled: Filled | undefined
  const began = performance.now()
  const { url, megabytes } = await databases.make(`size_${size}`, async (storage) => {
    const onProgress = (kind: string, made: number) => {
      if (made % 50_000 === 0) say(`${databases.name}: ${made} of ${size} ${kind}, ${seconds(began)} s`)
    }
    filled = await fillWorkspace(storage, 'bench', size, { onProgress })
  })
  facts.push(`${databases.name}: ${size} of each kind made in ${seconds(began)} s, ${megabytes} MB`)
  return { url, filled: filled! }
}

/** So many workspaces in one database, and the one in the middle. */
async function manyOf(databases: Databases, count: number, facts: string[]): Promise<Sized> {
  let filled: Filled | undefined
  const began = performance.now()
  const { url, megabytes } = await databases.make(`many_${count}`, async (storage) => {
    for (let index = 0; index < count; index += 1) {
      const each = await fillWorkspace(storage, `bench-${index}`, RECORDS_EACH)
      if (index === count >> 1) filled = each
      if ((index + 1) % 50 === 0)
        say(`${databases.name}: ${index + 1} of ${count} workspaces, ${seconds(began)} s`)
    }
  })
  facts.push(
    `${databases.name}: ${count} workspaces of ${RECORDS_EACH} of each kind made in ${seconds(began)} s, ${megabytes} MB`,
  )
  return { url, filled: filled! }
}

function report(
  results: readonly Result[],
  crowded: readonly Crowded[],
  facts: readonly string[],
  options: Options,
): void {
  const { sizes, workspaces, rounds, results: folder } = options
  const many =
    crowded.length === 0
      ? []
      : ['## Many workspaces', '', aboutCrowded(workspaces), '', crowdedTable(crowded, workspaces), '']
  const text = [
    `# Size, ${new Date().toISOString().slice(0, 10)}`,
    '',
    aboutSizes(sizes, rounds),
    '',
    summary(results),
    '',
    '![Cost against size](size.svg)',
    '',
    sizesTable(results, sizes),
    '',
    ...many,
    '## The machine',
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
  ].join('\n')
  console.log(text)
  if (folder === undefined) {
    say('Not written: that takes a whole run, or --results.')
    return
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'size.md'), text)
  writeFileSync(join(folder, 'size.svg'), svgOf(sizesPlot(results)))
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

function say(text: string): void {
  console.error(text)
}
