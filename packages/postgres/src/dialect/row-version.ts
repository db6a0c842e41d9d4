import { param, type RowVersion } from '@sales-crm/sql'
import { sql } from 'kysely'

/** The row version is the id of the transaction that wrote the row. */
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
