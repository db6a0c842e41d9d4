import { expect, test } from 'vitest'
import { BEN, catchFieldErrors, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { activityApi } from './activity-api.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const UNLINKED = { entity: null, entity_id: null }

async function linkOffice() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const deal = await crm.deals.create(owner, { name: 'Big' })
  const links = [
    { entity: 'people', entity_id: person.id },
    { entity: 'companies', entity_id: company.id },
    { entity: 'deals', entity_id: deal.id },
  ] as const
  return { ...base, api: activityApi(createEngine(base.ports)), person, links }
}

test('a link is to a person, a company or a deal, and a new one takes its place', async () => {
  const { api, owner, links } = await linkOffice()
  const [first, ...others] = links
  const { id } = await api.create(owner, { content_html: 'Hi', ...first })
  expect(await api.get(owner, id)).toMatchObject(first)
  for (const link of others) {
    expect((await api.create(owner, { content_html: 'Hi', ...link })).entity_id).toBe(link.entity_id)
    await api.update(owner, id, link)
    expect(await api.get(owner, id)).toMatchObject(link)
  }
  await api.update(owner, id, UNLINKED)
  expect(await api.get(owner, id)).toMatchObject(UNLINKED)
})

test('a link is named whole or not at all', async () => {
  const { api, owner, person } = await linkOffice()
  const { id } = await api.create(owner, { content_html: 'Hi' })
  const [entity, entity_id] = ['people', person.id] as const
  const noId = { entity_id: 'Required together with entity.' }
  const noEntity = { entity: 'Required together with entity_id.' }
  const halves = [
    [{ entity }, noId],
    [{ entity, entity_id: null }, noId],
    [{ entity_id }, noEntity],
    [{ entity: null, entity_id }, noEntity],
  ] as const
  for (const [half, fault] of halves) {
    expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...half }))).toEqual(fault)
    expect(await catchFieldErrors(api.update(owner, id, half))).toEqual(fault)
  }
  expect(await catchFieldErrors(api.update(owner, id, { entity: null }))).toEqual(noId)
  expect(await catchFieldErrors(api.update(owner, id, { entity_id: null }))).toEqual(noEntity)
  expect((await api.create(owner, { content_html: 'Hi', entity: null })).entity).toBe(null)
  expect(
    await catchFieldErrors(
      api.create(owner, { content_html: ' ', entity: 'task', owner_email: 'ann' } as never),
    ),
  ).toEqual({
    content_html: 'Required.',
    entity: 'Must be one of: people, companies, deals.',
    entity_id: 'Required together with entity.',
    owner_email: 'Must be an e-mail address.',
  })
})

test('a link is to what exists in the workspace', async () => {
  const { api, crm, owner, otherOwner, links } = await linkOffice()
  const gone = await crm.people.create(owner, { full_name: 'Gone' })
  await crm.people.remove(owner, gone.id)
  const mine = await api.create(otherOwner, { content_html: 'Mine' })
  const missing = ['Person not found.', 'Company not found.', 'Deal not found.']
  for (const [index, link] of links.entries()) {
    const faults = { entity_id: missing[index], owner_email: 'Member not found.' }
    const theirs = { ...link, owner_email: BEN.email }
    expect(await catchFieldErrors(api.create(otherOwner, { content_html: 'Hi', ...theirs }))).toEqual(faults)
    expect(await catchFieldErrors(api.update(otherOwner, mine.id, theirs))).toEqual(faults)
    const unknown = { ...link, entity_id: UNKNOWN_ID }
    expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...unknown }))).toEqual({
      entity_id: missing[index],
    })
  }
  const dead = { entity: 'people', entity_id: gone.id } as const
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...dead }))).toEqual({
    entity_id: 'Person not found.',
  })
  const mistaken = { entity: 'companies', entity_id: links[0].entity_id } as const
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...mistaken }))).toEqual({
    entity_id: 'Company not found.',
  })
  expect(
    await catchFieldErrors(api.create(owner, { content_html: 'Hi', entity: 'people', entity_id: 'ana' })),
  ).toEqual({
    entity_id: 'Must be a UUID.',
  })
  for (const entity of ['__proto__', 'constructor', 'tasks', 'toString']) {
    expect(
      await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...dead, entity: entity as never })),
    ).toEqual({
      entity: 'Must be one of: people, companies, deals.',
    })
  }
})

test.each([0, 1, 2])('a link is answered as none once its record is deleted (%i)', async (index) => {
  const { api, crm, owner, links, clock } = await linkOffice()
  const { entity, entity_id } = links[index]!
  const { id } = await api.create(owner, { content_html: 'Hi', entity, entity_id })
  await crm[entity].remove(owner, entity_id)
  expect(await api.get(owner, id)).toMatchObject({ ...UNLINKED, updated_at: null })
  expect((await api.list(owner, { entity, id: entity_id })).meta.total).toBe(0)
  clock.set(LATER)
  expect(await api.update(owner, id, { content_html: 'Still' })).toMatchObject({
    ...UNLINKED,
    content_html: 'Still',
    updated_at: LATER,
  })
})
