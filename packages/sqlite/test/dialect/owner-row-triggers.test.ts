import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

test('counts the rows of owners after raw SQL inserts many, gives away, soft-deletes, restores and deletes rows', async () => {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const file = new Database(path)
  file.pragma('foreign_keys = off')
  const counted = file.prepare('select owner_user_id, total from owner_rows where total <> 0 order by 1')
  const expected =
    file.prepare(`select coalesce(owner_user_id, '00000000-0000-0000-0000-000000000000') as owner_user_id,
    count(*) as total from companies where deleted_at is null group by 1 order by 1`)
  file.exec(`with recursive numbers (n) as (values (1) union all select n + 1 from numbers where n < 3000)
    insert into companies (workspace_id, id, full_name, owner_user_id, entity_id, emails, phones, tag_ids, list_ids,
      custom_values, search_terms, created_at)
    select '${WORKSPACE}', 'id-' || n, 'Acme', iif(n % 3 = 0, null, 'owner-' || n % 3), 'C-' || n, '[]', '[]', '[]',
      '[]', '{}', '', 'now' from numbers`)
  const steps = [
    "update companies set owner_user_id = 'owner-9' where id < 'id-2'",
    "update companies set owner_user_id = null where id > 'id-7'",
    "update companies set deleted_at = 'now' where id < 'id-4'",
    "update companies set owner_user_id = 'owner-1', deleted_at = null where id between 'id-1' and 'id-3'",
    "update companies set full_name = 'Other', deleted_at = 'later' where deleted_at is not null",
    'update companies set owner_user_id = owner_user_id',
    "delete from companies where id > 'id-3'",
    'delete from companies',
  ]
  expect(counted.all()).toEqual(expected.all())
  for (const step of steps) {
    file.exec(step)
    expect([step, counted.all()]).toEqual([step, expected.all()])
  }
  file.close()
})
