import type { NotExistsCondition } from '@sales-crm/core/ports'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { param } from './statement.ts'

type Expressions = readonly Expression<SqlBool>[]

/** Conditions on related rows of the workspace, each answered by an index of the other table. */

export function whereRelated(
  collection: string,
  column: Expression<unknown>,
  conditions: Expressions,
): Expression<SqlBool> {
  const target = sql`select ${sql.ref(`${collection}.id`)} from ${sql.table(collection)}
    where ${sql.ref(`${collection}.workspace_id`)} = ${param('workspace_id')}
    and ${sql.ref(`${collection}.deleted_at`)} is null${andAll(conditions)}`
  return sql<SqlBool>`${column} in (${target})`
}

/**
 * Few rows reference one row, but many are newer than a given time: the index on the reference is the better
 * one.
 */
export function notExists(
  table: string,
  { collection, foreignKey, field }: NotExistsCondition,
  { value, others }: { readonly value: unknown; readonly others: Expressions },
  { plannerHints }: Dialect,
): Expression<SqlBool> {
  const column = `${collection}.${field}`
  const at = plannerHints ? plannerHints.withoutIndex(column) : sql.ref(column)
  return sql<SqlBool>`not exists (select 1 from ${sql.table(collection)}
    where ${sql.ref(`${collection}.workspace_id`)} = ${param('workspace_id')}
    and ${sql.ref(`${collection}.${foreignKey}`)} = ${sql.ref(`${table}.id`)} and ${at} >= ${value}
    and ${sql.ref(`${collection}.deleted_at`)} is null${andAll(others)})`
}

function andAll(conditions: Expressions): Expression<unknown> {
  return conditions.length === 0 ? sql`` : sql` and ${sql.join(conditions, sql` and `)}`
}
