import { parseArgs } from 'node:util'
import type { DatabaseName } from '../rows.ts'
import { PEER_ROWS, type PeerRow } from './rows.ts'

export interface PeerOptions {
  readonly rounds: number
  readonly seconds: number
  readonly databases: readonly DatabaseName[]
  readonly rows: readonly PeerRow[]
  /**
   * True if the results are written: every row on both databases, with at least the default rounds and
   * seconds.
   */
  readonly isFullRun: boolean
}

const FULL_RUN = { rounds: 7, seconds: 5 }
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

export const USAGE = `npm run bench:peers -- [--rounds ${FULL_RUN.rounds}] [--seconds ${FULL_RUN.seconds}] [--only sqlite|postgres] [--row NAME]
Rows: ${PEER_ROWS.map(({ row }) => row.name).join(', ')}`

/** @throws Error with a one-line message for an invalid option */
export function readOptions(args: readonly string[]): PeerOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, seconds: text, only: text, row: text },
  })
  const [rounds, seconds] = [parsePositive('rounds', values.rounds), parsePositive('seconds', values.seconds)]
  const databases = DATABASES.filter((name) => values.only === undefined || values.only === name)
  if (databases.length === 0) throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
  const rows = PEER_ROWS.filter(({ row }) => values.row === undefined || values.row === row.name)
  if (rows.length === 0)
    throw new Error(`--row must be one of ${PEER_ROWS.map(({ row }) => row.name).join(', ')}.`)
  const isFullRun =
    rounds >= FULL_RUN.rounds &&
    seconds >= FULL_RUN.seconds &&
    values.only === undefined &&
    values.row === undefined
  return { rounds, seconds, databases, rows, isFullRun }
}

function parsePositive(option: keyof typeof FULL_RUN, text: string | undefined): number {
  const value = Number(text ?? FULL_RUN[option])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number from 1.`)
  return value
}
