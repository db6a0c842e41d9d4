import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DatabaseName } from '../rows.ts'

export interface Options {
  /** Records of each kind, in ascending order. */
  readonly sizes: readonly number[]
  readonly workspaces: number
  readonly rounds: number
  readonly databases: readonly DatabaseName[]
  /** Text that a row's title must contain. */
  readonly row: string | undefined
  /** The folder for the results, or `undefined` to only print them. */
  readonly results: string | undefined
}

export const USAGE = `npm run bench:size -- [--records 1000000] [--workspaces 1000] [--rounds 21] [--only sqlite|postgres] [--row WORDS] [--results FOLDER]
The results of a smaller run are only printed, unless --results names a folder.`

const MIN_RECORDS = 1_000
const FULL_RUN = { records: 1_000_000, workspaces: 1_000, rounds: 21 }
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

/** @throws Error with a one-line message for an invalid option */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { records: text, workspaces: text, rounds: text, only: text, row: text, results: text },
  })
  const records = parseWhole('records', values.records, FULL_RUN.records, MIN_RECORDS)
  const workspaces = parseWhole('workspaces', values.workspaces, FULL_RUN.workspaces, 0)
  const rounds = parseWhole('rounds', values.rounds, FULL_RUN.rounds, 1)
  const databases = DATABASES.filter((each) => values.only === undefined || values.only === each)
  if (databases.length === 0) throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
  const isFullRun =
    records >= FULL_RUN.records &&
    workspaces >= FULL_RUN.workspaces &&
    rounds >= FULL_RUN.rounds &&
    databases.length === DATABASES.length &&
    values.row === undefined
  const defaultFolder = isFullRun ? fileURLToPath(new URL('../results', import.meta.url)) : undefined
  return {
    sizes: sizesUpTo(records),
    workspaces,
    rounds,
    databases,
    row: values.row,
    results: values.results ?? defaultFolder,
  }
}

/** Returns powers of ten times the smallest size, and `largest` at the end. */
function sizesUpTo(largest: number): number[] {
  const sizes = []
  for (let size = MIN_RECORDS; size < largest; size *= 10) sizes.push(size)
  return [...sizes, largest]
}

function parseWhole(option: string, text: string | undefined, fallback: number, minimum: number): number {
  const value = Number(text ?? fallback)
  if (!Number.isInteger(value) || value < minimum)
    throw new Error(`--${option} must be a whole number from ${minimum}.`)
  return value
}
