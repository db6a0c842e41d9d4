import type { Compilable } from 'kysely'

/** A query compiled once. `args` says, in the order of its parameters, which value goes where. */
export interface Statement {
  /** The same text always has the same name, in every process. */
  readonly name: string
  readonly sql: string
  readonly params: readonly string[]
  /**
   * When the database decides how to run it: `once`, for whatever values may come, where only one way is
   * good; `anew` with the values of each call, where the best way depends on them.
   */
  readonly plan: 'generic' | 'custom'
  /**
   * Rows by their keys, or whether there is such a row. Who asks for the same in the same transaction may be
   * given the same, and a transaction that has not done anything else yet need not begin for it.
   */
  readonly isKeyLookup?: boolean
  /** Its last column is a total, the same in each row: the first row alone has it. */
  readonly hasTotal?: boolean
  /** The same for so many lists of values at once, one list behind the other. */
  readonly repeat?: ((count: number) => Statement) | undefined
}

class Param {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Stands in a query for a value that comes with each call. The type is what Kysely expects at that place. */
export function param<T = unknown>(name: string): T {
  return new Param(name) as T
}

type StatementOptions = Partial<Pick<Statement, 'plan' | 'isKeyLookup' | 'hasTotal' | 'repeat'>>

/** All of one form, whatever is special about them: each call of the database passes by one. */
export function compileStatement(query: Compilable, options: StatementOptions = {}): Statement {
  const { plan = 'generic', isKeyLookup = false, hasTotal = false, repeat } = options
  const { sql, parameters } = query.compile()
  return {
    name: statementName(sql),
    sql,
    params: parameters.map(paramName),
    plan,
    isKeyLookup,
    hasTotal,
    repeat,
  }
}

export function bindValues({ params }: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return params.map((name) => values[name])
}

function paramName(parameter: unknown): string {
  if (parameter instanceof Param) return parameter.name
  throw new Error('A statement takes its values by name: a constant must be written as a literal.')
}

/** FNV-1a, 64 bits: PostgreSQL cuts a statement's name at 63 bytes, so that its text cannot serve. */
function statementName(sql: string): string {
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < sql.length; index += 1) {
    hash = ((hash ^ BigInt(sql.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return `crm_${hash.toString(36)}`
}

export type NamedValues = Readonly<Record<string, unknown>>
