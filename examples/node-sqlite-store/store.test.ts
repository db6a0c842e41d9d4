import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { nodeSqliteStorage } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'node-sqlite-store-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function openCrm() {
  const storage = nodeSqliteStorage(join(folder, 'crm.db'))
  return { storage, crm: createCrm({ ...nodePorts(), storage }) }
}

test('the CRM runs on it, and finds what was committed after the store was opened again', async () => {
  const first = openCrm()
  const owner = { workspace: 'acme', email: 'olga@acme.example' }
  await first.crm.operator.createWorkspace({
    name: 'Acme',
    slug: owner.workspace,
    owner_name: 'Olga',
    owner_email: owner.email,
  })
  const bob = await first.crm.people.create(await first.crm.operator.actorFor(owner), { full_name: 'Bob' })
  await first.storage.close()

  const second = openCrm()
  const olga = await second.crm.operator.actorFor(owner)
  assert.equal((await second.crm.people.get(olga, bob.id)).full_name, 'Bob')
  const { data } = await second.crm.people.list(olga, { search: 'bo' })
  assert.deepEqual(
    data.map(({ id }) => id),
    [bob.id],
  )
  await second.storage.close()
})
