import { parseArgs } from 'node:util'
import type { DatabaseName } from '../rows.ts'
import { PEER_ROWS, type PeerRow } from './rows.ts'

export interface PeerOptions {
  readonly rounds: number
  readonly seconds: number
  readonly databases: readonly DatabaseName[]
  readonly rows: readonly PeerRow[]
  /** Whether it is worth keeping: every row on both databases, in rounds enough. */
  readonly isWhole: boolean
}

const WHOLE = { rounds: 7, seconds: 5 }
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

export const USAGE = `npm run bench:peers -- [--rounds ${WHOLE.rounds}] [--seconds ${WHOLE.seconds}] [--only sqlite|postgres] [--row NAME]
Rows: ${PEER_ROWS.map(({ row }) => row.name).join(', ')}`

/** @throws Error in one line for what cannot be meant */
export function readOptions(args: readonly string[]): PeerOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, seconds: text, only: text, row: text },
  })
  const [rounds, seconds] = [whole('rounds', values.rounds), whole('seconds', values.seconds)]
  const databases = DATABASES.filter((each) => values.only === undefined || values.only === each)
  if (databases.length === 0) throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
  const rows = PEER_ROWS.filter(({ row }) => values.row === undefined || values.row === row.name)
  if (rows.length === 0)
    throw new Error(`--row must be one of ${PEER_ROWS.map(({ row }) => row.name).join(', ')}.`)
  const isWhole =
    rounds >= WHOLE.rounds &&
    seconds >= WHOLE.seconds &&
    values.only === undefined &&
    values.row === undefined
  return { rounds, seconds, databases, rows, isWhole }
}

function whole(option: keyof typeof WHOLE, text: string | undefined): number {
  const value = Number(text ?? WHOLE[option])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number from 1.`)
  return value
}
