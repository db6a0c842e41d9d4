import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { createCrm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { createServer } from '@sales-crm/server'
import { requireSecondApprover } from './second-approver.ts'
import { STORES } from './stores.ts'

const LARGE = 1_000_001

async function openSales(t: TestContext, storage: Storage) {
  t.after(() => storage.close())
  const ports = { ...nodePorts(), storage }
  const crm = createCrm(ports, { rules: { deals: [requireSecondApprover] } })
  const workspace = `acme-${randomUUID()}`
  const [ann, ben] = [`ann@${workspace}.example`, `ben@${workspace}.example`]
  await crm.operator.createWorkspace({ name: 'Acme', slug: workspace, owner_name: 'Ann', owner_email: ann })
  await crm.operator.addMember({ workspace, name: 'Ben', email: ben, role: 'admin' })
  const first = await crm.operator.actorFor({ workspace, email: ann })
  const second = await crm.operator.actorFor({ workspace, email: ben })
  const { stages } = await crm.pipelines.create(first, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Approval' }, { name: 'Won', type: 'win' }],
  })
  const [approval, won] = [{ stage_id: stages[1]!.id }, { stage_id: stages[2]!.id }]
  return { crm, ports, workspace, first, second, emails: { ann, ben }, approval, won }
}

for (const [name, openStorage] of Object.entries(STORES)) {
  describe(`a deal above the limit, on ${name}`, () => {
    test('is won by a second member', async (t) => {
      const { crm, first, second, approval, won } = await openSales(t, await openStorage())
      const { id } = await crm.deals.create(first, { name: 'Chairs', amount: LARGE })
      await crm.deals.update(first, id, approval)
      await assert.rejects(crm.deals.update(first, id, { name: 'Won chairs', ...won }), { code: 'forbidden' })
      assert.equal((await crm.deals.get(first, id)).name, 'Chairs')
      assert.equal((await crm.deals.update(second, id, won)).stage?.name, 'Won')
      assert.equal((await crm.deals.update(second, id, { name: 'Won chairs' })).name, 'Won chairs')
    })

    test('cannot get around the second member', async (t) => {
      const { crm, first, won } = await openSales(t, await openStorage())
      const large = { name: 'Chairs', amount: LARGE }
      await assert.rejects(crm.deals.create(first, { ...large, ...won }), { code: 'forbidden' })
      const { id } = await crm.deals.create(first, large)
      await assert.rejects(crm.deals.update(first, id, won), { code: 'forbidden' })
      await crm.deals.update(first, id, { amount: 1_000_000, ...won })
      await assert.rejects(crm.deals.update(first, id, { amount: LARGE }), { code: 'forbidden' })
    })

    test('is refused by the HTTP interface too', async (t) => {
      const { crm, ports, workspace, first, emails, approval, won } = await openSales(t, await openStorage())
      const { id } = await crm.deals.create(first, { name: 'Chairs', amount: LARGE })
      const { client_id } = await crm.operator.createApp({
        name: 'Phone app',
        email: 'dev@acme.example',
        redirect_uris: ['https://app.example/callback'],
        scopes: ['deals:write'],
      })
      const server = createServer({ crm, ports })
      const patch = async (user_email: string, changes: object) => {
        const { access_token } = await crm.operator.createToken({ workspace, client_id, user_email })
        return server.request(`/v1/deals/${id}`, {
          method: 'PATCH',
          headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(changes),
        })
      }
      assert.equal((await patch(emails.ann, approval)).status, 200)
      const refusal = await patch(emails.ann, won)
      assert.equal(refusal.status, 403)
      assert.match(
        (await refusal.json()).error.message,
        /^A deal of this amount must be won by another member/,
      )
      assert.equal((await patch(emails.ben, won)).status, 200)
    })
  })
}
