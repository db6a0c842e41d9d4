import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import type { Actor } from '../../kernel/actor.ts'

async function setUpDeals() {
  const base = await createTestCrm()
  const { crm, owner, ann } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const contact = { emails: [{ email: 'info@pampa.example' }], phones: [{ phone: '+55 31 90000-1016' }] }
  const pampa = await crm.companies.create(owner, { full_name: 'Pampa Consultoria', ...contact })
  const other = await crm.companies.create(owner, { full_name: 'Other', owner_user_id: ann.userId })
  await crm.deals.create(owner, { name: 'Licences', company_id: pampa.id })
  await crm.deals.create(owner, { name: 'Pampa roof', company_id: pampa.id })
  await crm.deals.create(owner, { name: 'Pampa Consultoria', company_id: other.id })
  await crm.deals.create(owner, { name: 'Chairs', company_id: other.id })
  const findNames = async (search: string, actor: Actor = owner) => {
    const { data, meta } = await crm.deals.list(actor, { search, order_by: 'name', order: 'asc' })
    expect(meta.total).toBe(data.length)
    return data.map(({ name }) => name).join()
  }
  return { ...base, pampa, other, findNames }
}

const PAMPA = 'Licences,Pampa Consultoria,Pampa roof'

test('a search finds deals by their names and by their companies, each once', async () => {
  const { crm, owner, pampa, findNames } = await setUpDeals()
  expect(await findNames('pamp')).toBe(PAMPA)
  expect(await findNames('cons pampa')).toBe(PAMPA)
  for (const search of ['info@pampa.example', '31900001016', pampa.entity_id.toLowerCase()])
    expect([search, await findNames(search)]).toEqual([search, 'Licences,Pampa roof'])
  expect(await findNames('roof pampa')).toBe('Pampa roof')
  await crm.companies.update(owner, pampa.id, { full_name: 'Sertão', emails: [] })
  expect(await findNames('pampa')).toBe('Pampa Consultoria,Pampa roof')
  await crm.companies.remove(owner, pampa.id)
  expect(await findNames('sertao')).toBe('')
})

test('a search finds no deal by a company that the actor may not see', async () => {
  const { crm, owner, ann, ben, otherOwner, findNames } = await setUpDeals()
  await crm.workspace.update(owner, { visibility: { companies: 'owner' } })
  expect(await findNames('other', ann)).toBe('Chairs,Pampa Consultoria')
  expect(await findNames('other', ben)).toBe('')
  expect(await findNames('other', otherOwner)).toBe('')
  const scopes = new Set([...ann.scopes].filter((scope) => scope !== 'companies:read'))
  expect(await findNames('other', { ...ann, scopes })).toBe('')
})

test('a search finds the deals of the hundred newest companies that match', async () => {
  const { crm, owner, clock, findNames } = await setUpDeals()
  for (let nth = 0; nth <= 100; nth += 1) {
    clock.advance(1)
    const { id } = await crm.companies.create(owner, { full_name: `Many ${nth}` })
    if (nth < 2) await crm.deals.create(owner, { name: `Deal ${nth}`, company_id: id })
  }
  expect(await findNames('many')).toBe('Deal 1')
})

test('the board, totals and exports search as the list does', async () => {
  const { crm, owner } = await setUpDeals()
  const [pipeline] = (await crm.pipelines.list(owner)).data
  const { stages } = await crm.pipelines.board(owner, pipeline!.id, { search: 'pampa' })
  expect(stages.map(({ count }) => count)).toEqual([3])
  const { groups } = await crm.reports.aggregate(owner, {
    ...{ entity: 'deals', metric: 'count' },
    filter: { search: 'pampa' },
  } as never)
  expect(groups).toMatchObject([{ count: 3 }])
})
