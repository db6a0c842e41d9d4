import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectMachineFacts } from '../machine.ts'
import { onExit } from '../processes.ts'
import { errorMessage, readOptionsOrExit, runProgram } from '../program.ts'
import { measureBoardLoad } from './board-load.ts'
import { type ConsoleBrowser, launchBrowser } from './browser.ts'
import { measureCardDrag } from './card-drag.ts'
import { measureFirstLoad } from './first-load.ts'
import { type ConsoleFixture, OPEN_DEALS, PEOPLE, startConsoleFixture } from './fixture.ts'
import { measureMemory } from './memory.ts'
import { formatRows, isMissed } from './report.ts'
import type { Row } from './rows.ts'
import { measureTableScroll } from './table-scroll.ts'
import { measureTyping } from './typing.ts'

/** Measures the console in Chromium on a slowed-down processor, against the service on SQLite. */
const USAGE = 'npm run bench:console -- [--rounds 3] [--slowdown 4] [--only PART]'
const RESULTS = new URL('../results/console.md', import.meta.url)
const ROUNDS = 3
const SLOWDOWN = 4
const CLICK_ROUNDS = 200

const PARTS = {
  'first-load': ({ browser }) => measureFirstLoad(browser),
  board: ({ browser, fixture, rounds }) => measureBoardLoad(browser, fixture, rounds),
  drag: ({ browser, rounds }) => measureCardDrag(browser, rounds),
  typing: ({ browser, rounds }) => measureTyping(browser, rounds),
  table: ({ browser, rounds }) => measureTableScroll(browser, rounds),
  memory: ({ browser }) => measureMemory(browser, CLICK_ROUNDS),
} satisfies Readonly<Record<string, (bench: Bench) => Promise<readonly Row[]>>>
type Part = keyof typeof PARTS

interface Bench {
  readonly browser: ConsoleBrowser
  readonly fixture: ConsoleFixture
  readonly rounds: number
}

await runProgram(main, errorMessage)

/**
 * Measures the selected parts.
 * @returns true if every target was met
 */
async function main(): Promise<boolean> {
  const { rounds, slowdown, parts } = readOptionsOrExit(
    `${USAGE}\nParts: ${Object.keys(PARTS).join(', ')}`,
    readOptions,
  )
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  console.error('Seeding …')
  const fixture = await startConsoleFixture(folder)
  const browser = await launchBrowser(fixture, slowdown)
  const rows: Row[] = []
  for (const part of parts) {
    console.error(`${part} …`)
    rows.push(...(await PARTS[part]({ browser, fixture, rounds })))
  }
  const text = [
    formatRows(rows),
    '',
    ...facts.map((fact) => `- ${fact}`),
    `- Chromium ${browser.version}, its processor ${slowdown} times slower, except for memory; a window of 1440 × 900`,
    `- ${OPEN_DEALS} open deals in five stages of a pipeline, and ${PEOPLE} people`,
    `- rounds: ${rounds}`,
    '',
  ].join('\n')
  console.log(`\n${text}`)
  if (parts.length === Object.keys(PARTS).length && rounds >= ROUNDS && slowdown === SLOWDOWN) {
    mkdirSync(new URL('.', RESULTS), { recursive: true })
    writeFileSync(RESULTS, `# Console, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
  }
  return !rows.some(isMissed)
}

function readOptions() {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, slowdown: { type: 'string' }, only: { type: 'string' } },
  })
  const rounds = Number(values.rounds ?? ROUNDS)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1.')
  const slowdown = Number(values.slowdown ?? SLOWDOWN)
  if (!(slowdown >= 1)) throw new Error('--slowdown must be a number from 1.')
  const all = Object.keys(PARTS) as Part[]
  const parts = all.filter((part) => values.only === undefined || part === values.only)
  if (parts.length === 0) throw new Error(`--only must be one of ${all.join(', ')}.`)
  return { rounds, slowdown, parts }
}
