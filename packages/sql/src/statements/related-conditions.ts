import type { NotExistsCondition, RelatedCondition } from '@sales-crm/core/ports'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Conditions on related rows of the workspace, each answered by an index of the other table. */

export function whereRelated(
  table: string,
  { collection, field }: RelatedCondition,
  column: Expression<unknown>,
  value: unknown,
): Expression<SqlBool> {
  const target = sql`select id from ${sql.table(collection)} as target where target.workspace_id = ${sql.ref(`${table}.workspace_id`)}
    and ${sql.ref(`target.${field}`)} = ${value} and target.deleted_at is null`
  return sql<SqlBool>`${column} in (${target})`
}

/**
 * Few rows reference one row, but many are newer than a given time: the index on the reference is the better
 * one.
 */
export function notExists(
  table: string,
  { collection, foreignKey: by, field }: NotExistsCondition,
  value: unknown,
  { plannerHints }: Dialect,
): Expression<SqlBool> {
  const at = plannerHints ? plannerHints.withoutIndex(`holder.${field}`) : sql.ref(`holder.${field}`)
  return sql<SqlBool>`not exists (select 1 from ${sql.table(collection)} as holder where holder.workspace_id = ${sql.ref(`${table}.workspace_id`)}
    and ${sql.ref(`holder.${by}`)} = ${sql.ref(`${table}.id`)} and ${at} >= ${value} and holder.deleted_at is null)`
}
