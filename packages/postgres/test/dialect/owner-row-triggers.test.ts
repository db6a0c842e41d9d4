import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const OWNERS = [1, 2, 3].map((nth) => `0191d2f0-0000-7000-8000-00000000000${nth}`)

async function openCompanies(): Promise<pg.Client> {
  const url = await freshDatabase(server!)
  await (await postgresStorage({ url })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const members = OWNERS.map((id) => `('${WORKSPACE}', '${id}', 'member', true, now())`)
  await client.query(
    `insert into members (workspace_id, id, role, has_joined, created_at) values ${members.join(', ')}`,
  )
  await client.query(`insert into companies (workspace_id, id, full_name, owner_user_id, entity_id, emails, phones, tag_ids,
      list_ids, custom_values, search_terms, created_at)
    select '${WORKSPACE}', gen_random_uuid(), 'Acme', (array['${OWNERS[0]}', '${OWNERS[1]}', null])[1 + n % 3]::uuid, n,
      '[]', '[]', '[]', '[]', '{}', '', now() from generate_series(1, 3000) as n`)
  return client
}

const COUNTED = `select owner_user_id, sum(total)::integer as total from owner_rows group by 1 having sum(total) <> 0 order by 1`
const EXPECTED = `select coalesce(owner_user_id, '00000000-0000-0000-0000-000000000000') as owner_user_id,
  count(*)::integer as total from companies where deleted_at is null group by 1 order by 1`

describe.runIf(server !== null)('row counts of owners by triggers', () => {
  test('follow raw SQL that inserts many, gives away, soft-deletes, restores, deletes and truncates', async () => {
    const client = await openCompanies()
    const steps = [
      'select',
      `update companies set owner_user_id = '${OWNERS[2]}' where entity_id < '2'`,
      "update companies set owner_user_id = null where entity_id > '7'",
      "update companies set deleted_at = now() where entity_id < '4'",
      `update companies set owner_user_id = '${OWNERS[0]}', deleted_at = null where entity_id between '1' and '3'`,
      "update companies set full_name = 'Other', deleted_at = now() where deleted_at is not null",
      'update companies set owner_user_id = owner_user_id',
      "delete from companies where entity_id > '3'",
      'truncate companies cascade',
    ]
    for (const step of steps) {
      await client.query(step)
      const [counted, expected] = [await client.query(COUNTED), await client.query(EXPECTED)]
      expect([step, counted.rows]).toEqual([step, expected.rows])
    }
  })
})
