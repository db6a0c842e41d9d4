import { param, type RowVersion, type Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The transaction that has written a row is another with each change. */
export const rowVersion: RowVersion = {
  column: 'xmin',
  assertVersion(table, count) {
    const list = sql`(${param('workspace_id')}::uuid, ${param('id')}::uuid, ${param('version')}::xid)`
    const currentVersion = sql`
      select r.xmin from ${sql.table(table)} r
      where r.workspace_id = relied.workspace_id and r.id = relied.id for no key update`
    return sql`select row_must_stand((${currentVersion}), relied.version)
      from (values ${sql.join(Array.from({ length: count }, () => list))}) as relied (workspace_id, id, version)`
  },
}

export const rowVersionMigration: Migration = {
  async up(db: Kysely<Tables>) {
    await sql`create function row_must_stand(present xid, version xid) returns void language plpgsql as $$
      begin
        if present is distinct from version then
          raise exception 'The row was changed by another transaction.' using errcode = 'serialization_failure';
        end if;
      end $$`.execute(db)
  },
}
