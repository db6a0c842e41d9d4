import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type DatabaseName, ROWS, type Row } from './rows.ts'

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly databases: readonly DatabaseName[]
  readonly rows: readonly Row[]
  /** Another checkout, whose service is measured beside this one. */
  readonly against: string | undefined
  /** True to profile the service on these rows instead of comparing it. */
  readonly profile: boolean
}

export const USAGE = `npm run bench -- [--rounds 7] [--seconds 2] [--only sqlite|postgres] [--row NAME] [--profile NAME]
  [--against FOLDER, another checkout]
Rows: ${ROWS.map(({ name }) => name).join(', ')}`

const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

/** @throws Error with a one-line message for an invalid option */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, seconds: text, only: text, row: text, profile: text, against: text },
  })
  const row = values.profile ?? values.row
  return {
    rounds: parsePositive('rounds', values.rounds ?? '7'),
    seconds: parsePositive('seconds', values.seconds ?? '2'),
    databases: selectByName('only', values.only, DATABASES, (name) => name),
    rows: selectByName(values.profile === undefined ? 'row' : 'profile', row, ROWS, ({ name }) => name),
    against: values.against === undefined ? undefined : resolve(values.against),
    profile: values.profile !== undefined,
  }
}

function parsePositive(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number from 1.`)
  return value
}

/** Returns the named item, or all items without a name. */
function selectByName<T>(
  option: string,
  name: string | undefined,
  all: readonly T[],
  nameOf: (item: T) => string,
): readonly T[] {
  const found = name === undefined ? all : all.filter((item) => nameOf(item) === name)
  if (found.length === 0) throw new Error(`--${option} must be one of ${all.map(nameOf).join(', ')}.`)
  return found
}
