import type { Dialect } from '@sales-crm/sql'
import { type Expression, type SqlBool, sql } from 'kysely'

/** Registered on each connection, with the function of the core. */
export const FOLD_TEXT = 'fold_text'

const fold = (text: Expression<unknown>) => sql`${sql.raw(FOLD_TEXT)}(${text})`

export const foldText: Dialect['foldText'] = {
  equals: (text, folded) => sql<SqlBool>`${fold(text)} = ${folded}`,
  contains: (text, folded) => sql<SqlBool>`instr(${fold(text)}, ${folded}) > 0`,
  beginsWith: (text, folded) => sql<SqlBool>`substr(${fold(text)}, 1, length(${folded})) = ${folded}`,
}

const TYPES = { number: ['integer', 'real'], text: ['text'] } as const

export const jsonMember: Dialect['jsonMember'] = (column, name, type) => {
  const path = sql`'$."' || ${name} || '"'`
  if (type === 'any') return sql`json_type(${column}, ${path})`
  const types = sql.join(TYPES[type].map((each) => sql.lit(each)))
  return sql`case when json_type(${column}, ${path}) in (${types}) then json_extract(${column}, ${path}) end`
}

export const hasJsonEntry: Dialect['hasJsonEntry'] = (column, condition) =>
  sql<SqlBool>`exists (select 1 from json_each(${column}) as entry where ${condition(sql.ref('entry.value'))})`

export const isJsonEmpty: Dialect['isJsonEmpty'] = (column) => sql<SqlBool>`${column} in ('[]', '{}')`
