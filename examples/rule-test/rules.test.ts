import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { requireContact, requireCustomer } from './rules.ts'

async function openCrm() {
  const rules = { people: [requireContact], deals: [requireCustomer] }
  const crm = createCrm({ ...nodePorts(), storage: memoryStorage() }, { rules })
  await crm.operator.createWorkspace({
    name: 'Acme',
    slug: 'acme',
    owner_name: 'Olga',
    owner_email: 'olga@acme.example',
  })
  return { crm, olga: await crm.operator.actorFor({ workspace: 'acme', email: 'olga@acme.example' }) }
}

test('a person needs an e-mail address or a phone number', async () => {
  const { crm, olga } = await openCrm()
  await assert.rejects(crm.people.create(olga, { full_name: 'Bob' }), {
    code: 'validation_error',
    fields: { emails: 'An e-mail address or a phone number is required.' },
  })
  const bob = await crm.people.create(olga, { full_name: 'Bob', phones: [{ phone: '555 0100' }] })
  await assert.rejects(crm.people.update(olga, bob.id, { phones: [] }), { code: 'validation_error' })
  assert.equal((await crm.people.get(olga, bob.id)).phones[0]?.phone, '555 0100')
})

test('a deal is won with a customer only', async () => {
  const { crm, olga } = await openCrm()
  const pipeline = await crm.pipelines.create(olga, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const won = { stage_id: pipeline.stages[1]!.id }
  const deal = await crm.deals.create(olga, { name: 'Fifty chairs' })
  await assert.rejects(crm.deals.update(olga, deal.id, won), { code: 'validation_error' })
  await assert.rejects(crm.deals.create(olga, { name: 'Ten tables', ...won }), { code: 'validation_error' })

  const bob = await crm.people.create(olga, { full_name: 'Bob', phones: [{ phone: '555 0100' }] })
  const updated = await crm.deals.update(olga, deal.id, { ...won, person_id: bob.id })
  assert.equal(updated.stage?.name, 'Won')
})
