import { parseArgs } from 'node:util'
import { type DatabaseName, ROWS, type Row } from './rows.ts'

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly databases: readonly DatabaseName[]
  readonly rows: readonly Row[]
  /** Profile the service on these rows, and compare nothing. */
  readonly profile: boolean
}

export const USAGE = `npm run bench -- [--rounds 7] [--seconds 2] [--only sqlite|postgres] [--row NAME] [--profile NAME]
Rows: ${ROWS.map(({ name }) => name).join(', ')}`

const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

/** @throws Error in one line for what cannot be meant */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, seconds: text, only: text, row: text, profile: text },
  })
  const row = values.profile ?? values.row
  return {
    rounds: positive('rounds', values.rounds ?? '7'),
    seconds: positive('seconds', values.seconds ?? '2'),
    databases: named('only', values.only, DATABASES, (name) => name),
    rows: named(values.profile === undefined ? 'row' : 'profile', row, ROWS, ({ name }) => name),
    profile: values.profile !== undefined,
  }
}

function positive(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number from 1.`)
  return value
}

/** All of them, or the one that was named. */
function named<T>(
  option: string,
  name: string | undefined,
  all: readonly T[],
  nameOf: (each: T) => string,
): readonly T[] {
  const found = name === undefined ? all : all.filter((each) => nameOf(each) === name)
  if (found.length === 0) throw new Error(`--${option} must be one of ${all.map(nameOf).join(', ')}.`)
  return found
}
