import type { Dialect } from '@sales-crm/sql'
import { type SqlBool, sql } from 'kysely'

export const foldText: Dialect['foldText'] = {
  equals: (text, folded) => sql<SqlBool>`fold_text(${text}) = ${folded}`,
  contains: (text, folded) => sql<SqlBool>`strpos(fold_text(${text}), ${folded}) > 0`,
  beginsWith: (text, folded) => sql<SqlBool>`starts_with(fold_text(${text}), ${folded})`,
}

export const jsonMember: Dialect['jsonMember'] = (column, name, type) => {
  if (type === 'any') return sql`${column} -> ${name}::text`
  const value = sql`${column} ->> ${name}::text`
  const typed = type === 'number' ? sql`(${value})::double precision` : sql`(${value}) collate "C"`
  const jsonType = type === 'number' ? 'number' : 'string'
  return sql`case when json_typeof(${column} -> ${name}::text) = ${sql.lit(jsonType)} then ${typed} end`
}

export const hasJsonEntry: Dialect['hasJsonEntry'] = (column, condition) =>
  sql<SqlBool>`exists (select 1 from json_array_elements(${column}) as entry where ${condition(sql.ref('entry.value'))})`

export const isJsonEmpty: Dialect['isJsonEmpty'] = (column) => sql<SqlBool>`${column}::text in ('[]', '{}')`
