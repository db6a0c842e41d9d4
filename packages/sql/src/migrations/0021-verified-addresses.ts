import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/**
 * Adds when a user's address was verified, and whether an invitation was mailed. Until this version all were, and
 * every account with a password was made by a mailed link or by an operator.
 */
export async function addVerifiedAddresses(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  await run(sql`alter table users add column email_verified_at ${columnType('instant', dialect)}`)
  await run(sql`update users set email_verified_at = created_at where password_hash is not null`)
  const isMailed = columnType('boolean not null default true', dialect)
  await run(sql`alter table invitations add column is_mailed ${isMailed}`)
}
