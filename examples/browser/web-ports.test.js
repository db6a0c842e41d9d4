import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { webPorts } from './web-ports.js'

globalThis.location = { origin: 'https://page.example' }
const OLGA = { workspace: 'acme', email: 'olga@acme.example' }

async function openCrm() {
  const crm = createCrm({ ...webPorts(), storage: memoryStorage() })
  const owner = { owner_name: 'Olga', owner_email: OLGA.email }
  await crm.operator.createWorkspace({ name: 'Acme', slug: OLGA.workspace, ...owner })
  return { crm, olga: await crm.operator.actorFor(OLGA) }
}

test('the ports are enough for people and deals', async () => {
  const { crm, olga } = await openCrm()
  await crm.pipelines.create(olga, { name: 'Sales', stages: [{ name: 'New' }] })
  const bob = await crm.people.create(olga, { full_name: 'Bob' })
  const deal = await crm.deals.create(olga, { name: 'Chairs', amount: 5000, person_id: bob.id })
  assert.deepEqual([deal.formatted_amount, deal.person.full_name], ['$50.00', 'Bob'])
})

test('ids are UUIDs of version 7 and grow with the time', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0x0198_0000_ffff })
  const { newId } = webPorts()
  const first = newId()
  assert.match(first, /^01980000-ffff-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.mock.timers.tick(1)
  assert.match(newId(), /^01980001-0000-7/)
  assert.notEqual(newId(), newId())
})

test('what the page does not support is named', async () => {
  const { crm, olga } = await openCrm()
  const note = { entity: 'people', entity_id: (await crm.people.create(olga, { full_name: 'Bob' })).id }
  await assert.rejects(crm.activities.create(olga, { ...note, content_html: 'Called.' }), {
    message: 'ports.sanitizeHtml is not supported in this page.',
  })
})
