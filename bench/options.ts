import { parseArgs } from 'node:util'
import { readOptionsOrExit } from './program.ts'

type Choices = Readonly<Record<string, readonly string[]>>

interface OptionDefinitions<N extends string, C extends Choices, T extends string> {
  /** Numbers above 0, with their defaults. */
  readonly numbers: Readonly<Record<N, number>>
  /** Options that select one of several values. By default all are selected. */
  readonly choices?: C
  readonly texts?: readonly T[]
}

type Options<N extends string, C extends Choices, T extends string> = Readonly<Record<N, number>> &
  C &
  Readonly<Record<T, string | undefined>> & {
    /** True if no option shortens the run, so that its results are written. */
    readonly isFullRun: boolean
  }

/** Reads the command line. Exits with code 2 for an invalid option. */
export function readOptions<N extends string, C extends Choices, T extends string = never>({
  numbers,
  choices,
  texts = [],
}: OptionDefinitions<N, C, T>): Options<N, C, T> {
  const [defaults, values] = [Object.entries<number>(numbers), Object.entries(choices ?? {})]
  const usage = [
    ...defaults.map(([name, number]) => `[--${name} ${number}]`),
    ...values.map(([name, all]) => `[--${name} ${all.join('|')}]`),
    ...texts.map((name) => `[--${name} TEXT]`),
  ]
  return readOptionsOrExit(`Options: ${usage.join(' ')}`, () => {
    const selecting = [...values.map(([name]) => name), ...texts]
    const names = [...defaults.map(([name]) => name), ...selecting]
    const { values: given } = parseArgs({
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    })
    const isFullRun =
      selecting.every((name) => given[name] === undefined) &&
      defaults.every(([name, number]) => Number(given[name] ?? number) >= number)
    return Object.fromEntries([
      ...defaults.map(([name, number]) => [name, parseNumber(name, given[name], number)]),
      ...values.map(([name, all]) => [name, selectValues(name, given[name], all)]),
      ...texts.map((name) => [name, given[name]]),
      ['isFullRun', isFullRun],
    ]) as unknown as Options<N, C, T>
  })
}

function parseNumber(name: string, text: string | undefined, fallback: number): number {
  const number = Number(text ?? fallback)
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0.`)
  return number
}

function selectValues(name: string, value: string | undefined, all: readonly string[]): readonly string[] {
  const selected = all.filter((each) => value === undefined || value === each)
  if (selected.length === 0) throw new Error(`--${name} must be one of ${all.join(', ')}.`)
  return selected
}
