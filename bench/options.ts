import { parseArgs } from 'node:util'
import { readOptionsOrExit } from './program.ts'

interface OptionDefinitions<N extends string, C extends string, V extends string, T extends string> {
  /** Numbers above 0, with their defaults. */
  readonly numbers?: Readonly<Record<N, number>>
  /** Options that select one of several values. By default all are selected. */
  readonly choices?: Readonly<Record<C, readonly V[]>>
  readonly texts?: readonly T[]
}

type Options<N extends string, C extends string, V extends string, T extends string> = Readonly<
  Record<N, number> & Record<C, readonly V[]> & Record<T, string | undefined>
> & {
  /** True if no option shortens the run, so that its results are written. */
  readonly isFullRun: boolean
}

/** Reads the command line. Exits with code 2 for an invalid option. */
export function readOptions<N extends string, C extends string, V extends string, T extends string>({
  numbers = {} as Readonly<Record<N, number>>,
  choices = {} as Readonly<Record<C, readonly V[]>>,
  texts = [],
}: OptionDefinitions<N, C, V, T>): Options<N, C, V, T> {
  const [defaults, values] = [Object.entries<number>(numbers), Object.entries<readonly V[]>(choices)]
  const usage = [
    ...defaults.map(([name, number]) => `[--${name} ${number}]`),
    ...values.map(([name, all]) => `[--${name} ${all.join('|')}]`),
    ...texts.map((name) => `[--${name} TEXT]`),
  ]
  return readOptionsOrExit(`Options: ${usage.join(' ')}`, () => {
    const names = [...Object.keys(numbers), ...Object.keys(choices), ...texts]
    const { values: given } = parseArgs({
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    })
    const isFullRun =
      [...Object.keys(choices), ...texts].every((name) => given[name] === undefined) &&
      defaults.every(([name, number]) => Number(given[name] ?? number) >= number)
    return Object.fromEntries([
      ...defaults.map(([name, number]) => [name, parseNumber(name, given[name], number)]),
      ...values.map(([name, all]) => [name, selectValues(name, given[name], all)]),
      ...texts.map((name) => [name, given[name]]),
      ['isFullRun', isFullRun],
    ]) as Options<N, C, V, T>
  })
}

function parseNumber(name: string, text: string | undefined, fallback: number): number {
  const number = Number(text ?? fallback)
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0.`)
  return number
}

function selectValues<V extends string>(name: string, value: string | undefined, all: readonly V[]) {
  const selected = all.filter((each) => value === undefined || value === each)
  if (selected.length === 0) throw new Error(`--${name} must be one of ${all.join(', ')}.`)
  return selected
}
