import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../dialect.ts'

/** A query compiled once. `params` are the names of its values, in order. */
export interface Statement {
  /** Derived from the text, so that the name is the same in every process. */
  readonly name: string
  readonly sql: string
  readonly params: readonly string[]
  /**
   * `generic`: planned without values, for queries with a single good plan. `custom`: planned with the values
   * of each call, if the best plan depends on them.
   */
  readonly plan: 'generic' | 'custom'
  /**
   * Reads rows by key, or checks that one exists. The result may be cached within the transaction, and the
   * read does not need to start a transaction.
   */
  readonly isKeyLookup?: boolean
}

class Param {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A bind parameter. The type is the one Kysely expects at its position. */
export function param<T = unknown>(name: string): T {
  return new Param(name) as T
}

/** A query builder, or raw SQL. */
export interface CompilableQuery {
  compile(compiler: Kysely<Tables>): CompiledQuery
}

export type StatementOptions = Partial<Pick<Statement, 'plan' | 'isKeyLookup'>>

/** Objects of one shape, regardless of options, so that V8 keeps this hot call site monomorphic. */
export function compileStatement(
  query: CompilableQuery,
  compiler: Kysely<Tables>,
  options: StatementOptions = {},
): Statement {
  const { plan = 'generic', isKeyLookup = false } = options
  const { sql, parameters } = query.compile(compiler)
  return {
    name: statementName(sql),
    sql,
    params: parameters.map(paramName),
    plan,
    isKeyLookup,
  }
}

export function bindValues({ params }: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return params.map((name) => values[name])
}

function paramName(parameter: unknown): string {
  if (parameter instanceof Param) return parameter.name
  throw new Error('A statement takes its values by name: a constant must be written as a literal.')
}

/** FNV-1a with 64 bits: PostgreSQL truncates statement names at 63 bytes, so the text cannot be the name. */
function statementName(sql: string): string {
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < sql.length; index += 1) {
    hash = ((hash ^ BigInt(sql.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return `crm_${hash.toString(36)}`
}

export type NamedValues = Readonly<Record<string, unknown>>
