import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

test('counts live rows after raw SQL inserts many, soft-deletes, restores and deletes rows', async () => {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const file = new Database(path)
  const total = () => file.prepare("select total from live_rows where table_name = 'tags'").pluck().get()
  file.exec(`with recursive numbers (n) as (values (1) union all select n + 1 from numbers where n < 3000)
    insert into tags (workspace_id, id, name, color, key, created_at) select '${WORKSPACE}', 'id-' || n, 'Tag', '#000000', 'key-' || n, 'now' from numbers`)
  expect(total()).toBe(3000)
  file.exec("update tags set deleted_at = 'now' where id < 'id-2'")
  expect(total()).toBe(file.prepare('select count(*) from tags where deleted_at is null').pluck().get())
  file.exec("update tags set deleted_at = 'later' where deleted_at is not null")
  file.exec("update tags set deleted_at = null where id = 'id-10'")
  expect(total()).toBe(file.prepare('select count(*) from tags where deleted_at is null').pluck().get())
  file.exec('delete from tags')
  expect(total()).toBe(0)
  file.close()
})
