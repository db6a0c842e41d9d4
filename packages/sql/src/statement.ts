import type { Compilable } from 'kysely'

/** A query compiled once. `args` says, in the order of its parameters, which value goes where. */
export interface Statement {
  /** The same text always has the same name, in every process. */
  readonly name: string
  readonly sql: string
  readonly args: readonly string[]
  /**
   * When the database decides how to run it: `once`, for whatever values may come, where only one way is good; `anew` with the
   * values of each call, where the best way depends on them.
   */
  readonly planned: 'once' | 'anew'
  /**
   * Rows by their keys, or whether there is such a row. Who asks for the same in the same transaction may be given the same, and a transaction that has
   * not done anything else yet need not begin for it.
   */
  readonly looksUp?: boolean
  /** Its last column is a total, the same in each row: the first row alone has it. */
  readonly isTotalled?: boolean
  /** The same for so many lists of values at once, one list behind the other. */
  readonly times?: ((count: number) => Statement) | undefined
}

class Arg {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Stands in a query for a value that comes with each call. The type is what Kysely expects at that place. */
export function arg<T = unknown>(name: string): T {
  return new Arg(name) as T
}

type Special = Partial<Pick<Statement, 'planned' | 'looksUp' | 'isTotalled' | 'times'>>

/** All of one form, whatever is special about them: each call of the database passes by one. */
export function statement(query: Compilable, special: Special = {}): Statement {
  const { planned = 'once', looksUp = false, isTotalled = false, times } = special
  const { sql, parameters } = query.compile()
  return { name: nameOf(sql), sql, args: parameters.map(argName), planned, looksUp, isTotalled, times }
}

export function valuesFor({ args }: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return args.map((name) => values[name])
}

function argName(parameter: unknown): string {
  if (parameter instanceof Arg) return parameter.name
  throw new Error('A statement takes its values by name: a constant must be written as a literal.')
}

/** FNV-1a, 64 bits: PostgreSQL cuts a statement's name at 63 bytes, so that its text cannot serve. */
function nameOf(sql: string): string {
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < sql.length; index += 1) {
    hash = ((hash ^ BigInt(sql.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return `crm_${hash.toString(36)}`
}
