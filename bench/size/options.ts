import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DatabaseName } from '../rows.ts'

export interface Options {
  /** How many records of each kind, from the fewest to the most. */
  readonly sizes: readonly number[]
  readonly workspaces: number
  readonly rounds: number
  readonly databases: readonly DatabaseName[]
  /** What a title must hold. */
  readonly row: string | undefined
  /** Where the results are written; `undefined` where they are only printed. */
  readonly results: string | undefined
}

export const USAGE = `npm run bench:size -- [--records 1000000] [--workspaces 1000] [--rounds 21] [--only sqlite|postgres] [--row WORDS] [--results FOLDER]
A run that is smaller than that is only printed, unless --results names a folder.`

const FEWEST = 1_000
const WHOLE = { records: 1_000_000, workspaces: 1_000, rounds: 21 }
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

/** @throws Error in one line for what cannot be meant */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { records: text, workspaces: text, rounds: text, only: text, row: text, results: text },
  })
  const records = whole('records', values.records, WHOLE.records, FEWEST)
  const workspaces = whole('workspaces', values.workspaces, WHOLE.workspaces, 0)
  const rounds = whole('rounds', values.rounds, WHOLE.rounds, 1)
  const databases = DATABASES.filter((each) => values.only === undefined || values.only === each)
  if (databases.length === 0) throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
  const isWhole =
    records >= WHOLE.records &&
    workspaces >= WHOLE.workspaces &&
    rounds >= WHOLE.rounds &&
    databases.length === DATABASES.length &&
    values.row === undefined
  const usual = isWhole ? fileURLToPath(new URL('../results', import.meta.url)) : undefined
  return {
    sizes: sizesUpTo(records),
    workspaces,
    rounds,
    databases,
    row: values.row,
    results: values.results ?? usual,
  }
}

/** Tenfold from one to the next, and the last what was asked for. */
function sizesUpTo(most: number): number[] {
  const sizes = []
  for (let size = FEWEST; size < most; size *= 10) sizes.push(size)
  return [...sizes, most]
}

function whole(option: string, text: string | undefined, preset: number, least: number): number {
  const value = Number(text ?? preset)
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${option} must be a whole number from ${least}.`)
  return value
}
