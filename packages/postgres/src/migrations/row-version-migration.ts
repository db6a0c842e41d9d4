import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'

export async function createRowVersionFunction(db: Kysely<Tables>): Promise<void> {
  await sql`create function row_must_stand(present xid, version xid) returns void language plpgsql as $$
    begin
      if present is distinct from version then
        raise exception 'The row was changed by another transaction.' using errcode = 'serialization_failure';
      end if;
    end $$`.execute(db)
}
