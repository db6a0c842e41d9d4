import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runScript } from '../support/service-process.ts'
import { describePersistentStores } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const SCRIPT = new URL('../support/die-in-run.ts', import.meta.url).pathname
const DEALS = 18

describePersistentStores('a hand-over in a process that is killed', (createDatabase) => {
  test('goes on in another one, and changes each record once with its event', async () => {
    const { database, open } = await createDatabase()
    const before = await open()
    const service = await openService(before)
    const { crm } = service
    const { slug, owner } = await openWorkspace(service)
    const olga = await crm.operator.actorFor({ workspace: slug, email: owner.email })
    const addMember = (name: string) =>
      crm.operator.addMember({ workspace: slug, name, email: `${name}@${slug}.example`, role: 'member' })
    const [ann, ben] = [await addMember('ann'), await addMember('ben')]
    await crm.pipelines.create(olga, { name: 'Sales', stages: [{ name: 'New' }] })
    for (let n = 0; n < DEALS; n += 1)
      await crm.deals.create(olga, { name: `Deal ${n}`, owner_email: ann.email })
    const webhook = await crm.webhooks.create(olga, {
      url: 'https://hooks.example/',
      events: ['deal.updated'],
    })
    await crm.members.remove(olga, ann.id, { reassign_to: ben.id })
    await before.close()

    for (const moment of ['before commit', 'after commit'] as const) {
      const child = runScript(SCRIPT, [JSON.stringify({ database, transaction: 2, moment })])
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    }

    const after = (await openService(await open())).crm
    while (await after.runs.continue());
    expect((await after.members.get(olga, ann.id)).reassignment).toMatchObject({
      reassigned: DEALS,
      ended_at: expect.any(String),
    })
    const { data, meta } = await after.deals.list(olga, { owner_email: ben.email, per_page: 100 })
    expect(meta.total).toBe(DEALS)
    const deliveries = await after.webhooks.deliveries(olga, webhook.id, { per_page: 100 })
    const changedIds: string[] = []
    for (const { id } of deliveries.data) {
      const { body } = await after.webhooks.delivery(olga, webhook.id, id)
      changedIds.push((JSON.parse(body) as { deal: { id: string } }).deal.id)
    }
    expect(changedIds.toSorted()).toEqual(data.map(({ id }) => id).toSorted())
  })
})
