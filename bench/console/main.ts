import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatTable, publishReport } from '../report.ts'
import { measureBoardLoad } from './board-load.ts'
import { type ConsoleBrowser, launchBrowser } from './browser.ts'
import { measureCardDrag } from './card-drag.ts'
import { measureFirstLoad } from './first-load.ts'
import { RECORDS, startConsoleService } from './fixture.ts'
import { measureMemory } from './memory.ts'
import { formatRow, isRowMissed, type Row } from './rows.ts'
import { measureTableScroll } from './table-scroll.ts'
import { measureTyping } from './typing.ts'

/** Measures the console in Chromium on a slowed-down processor, against the service on SQLite. */
const HEAD = ['', 'median', 'target', '', 'lowest to highest']
const SLOWDOWN = 4

type MeasurePart = (browser: ConsoleBrowser, rounds: number) => Promise<readonly Row[]>

const PARTS: Readonly<Record<string, MeasurePart>> = {
  'first-load': measureFirstLoad,
  board: measureBoardLoad,
  drag: measureCardDrag,
  typing: measureTyping,
  table: measureTableScroll,
  memory: measureMemory,
}

await runProgram(main)

/**
 * Measures the selected parts.
 * @returns true if every target was met
 */
async function main(): Promise<boolean> {
  const { rounds, only, isFullRun } = readOptions({
    numbers: { rounds: 3 },
    choices: { only: Object.keys(PARTS) },
  })
  const facts = collectMachineFacts()
  console.error('Filling the database …')
  const browser = await launchBrowser(await startConsoleService(createFolder()), SLOWDOWN)
  const rows: Row[] = []
  for (const part of only) {
    console.error(`${part} …`)
    rows.push(...(await PARTS[part]!(browser, rounds)))
  }
  facts.push(
    `Chromium ${browser.version}, its processor ${SLOWDOWN} times slower, except for memory; a window of 1440 × 900`,
    `${RECORDS.deals} open deals in five stages of a pipeline, and ${RECORDS.people} people`,
    `rounds: ${rounds}`,
  )
  publishReport(
    { name: 'console', title: 'Console', tables: [formatTable(HEAD, rows.map(formatRow))], facts },
    isFullRun,
  )
  return !rows.some(isRowMissed)
}
