import { param, type RowVersion } from '@sales-crm/sql'
import { sql } from 'kysely'

/** The row version is the id of the transaction that wrote the row. */
export const rowVersion: RowVersion = {
  column: 'xmin',
  assertVersion(table) {
    const currentVersion = sql`
      select xmin from ${sql.table(table)}
      where workspace_id = ${param('workspace_id')} and id = ${param('id')} for no key update`
    return sql`select row_must_stand((${currentVersion}), ${param('version')}::xid)`
  },
}
