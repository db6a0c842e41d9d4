import { expect, test } from 'vitest'
import { BEN, catchFieldErrors, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { activityApi } from './activity-api.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const NO_LINK = { entity: null, entity_id: null }

async function setUpLinks() {
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

test('a link refers to a person, a company or a deal, and a new one replaces it', async () => {
  const { api, owner, links } = await setUpLinks()
  const [first, ...others] = links
  const { id } = await api.create(owner, { content_html: 'Hi', ...first })
  expect(await api.get(owner, id)).toMatchObject(first)
  for (const link of others) {
    expect((await api.create(owner, { content_html: 'Hi', ...link })).entity_id).toBe(link.entity_id)
    await api.update(owner, id, link)
    expect(await api.get(owner, id)).toMatchObject(link)
  }
  await api.update(owner, id, NO_LINK)
  expect(await api.get(owner, id)).toMatchObject(NO_LINK)
})

test('a link requires both entity and entity_id', async () => {
  const { api, owner, person } = await setUpLinks()
  const { id } = await api.create(owner, { content_html: 'Hi' })
  const [entity, entity_id] = ['people', person.id] as const
  const noId = { entity_id: 'Required together with entity.' }
  const noEntity = { entity: 'Required together with entity_id.' }
  const partialLinks = [
    [{ entity }, noId],
    [{ entity, entity_id: null }, noId],
    [{ entity_id }, noEntity],
    [{ entity: null, entity_id }, noEntity],
  ] as const
  for (const [link, errors] of partialLinks) {
    expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...link }))).toEqual(errors)
    expect(await catchFieldErrors(api.update(owner, id, link))).toEqual(errors)
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

test('a link requires an existing record of the workspace', async () => {
  const { api, crm, owner, otherOwner, links } = await setUpLinks()
  const deletedPerson = await crm.people.create(owner, { full_name: 'Gone' })
  await crm.people.remove(owner, deletedPerson.id)
  const activity = await api.create(otherOwner, { content_html: 'Mine' })
  const messages = ['Person not found.', 'Company not found.', 'Deal not found.']
  for (const [index, link] of links.entries()) {
    const errors = { entity_id: messages[index], owner_email: 'Member not found.' }
    const input = { ...link, owner_email: BEN.email }
    expect(await catchFieldErrors(api.create(otherOwner, { content_html: 'Hi', ...input }))).toEqual(errors)
    expect(await catchFieldErrors(api.update(otherOwner, activity.id, input))).toEqual(errors)
    const unknownLink = { ...link, entity_id: UNKNOWN_ID }
    expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...unknownLink }))).toEqual({
      entity_id: messages[index],
    })
  }
  const deletedLink = { entity: 'people', entity_id: deletedPerson.id } as const
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...deletedLink }))).toEqual({
    entity_id: 'Person not found.',
  })
  const wrongEntity = { entity: 'companies', entity_id: links[0].entity_id } as const
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', ...wrongEntity }))).toEqual({
    entity_id: 'Company not found.',
  })
  expect(
    await catchFieldErrors(api.create(owner, { content_html: 'Hi', entity: 'people', entity_id: 'ana' })),
  ).toEqual({
    entity_id: 'Must be a UUID.',
  })
  for (const entity of ['__proto__', 'constructor', 'tasks', 'toString']) {
    expect(
      await catchFieldErrors(
        api.create(owner, { content_html: 'Hi', ...deletedLink, entity: entity as never }),
      ),
    ).toEqual({
      entity: 'Must be one of: people, companies, deals.',
    })
  }
})

test.each([0, 1, 2])('a link to a deleted record is returned as null (%i)', async (index) => {
  const { api, crm, owner, links, clock } = await setUpLinks()
  const { entity, entity_id } = links[index]!
  const { id } = await api.create(owner, { content_html: 'Hi', entity, entity_id })
  await crm[entity].remove(owner, entity_id)
  expect(await api.get(owner, id)).toMatchObject({ ...NO_LINK, updated_at: null })
  expect((await api.list(owner, { entity, id: entity_id })).meta.total).toBe(0)
  clock.set(LATER)
  expect(await api.update(owner, id, { content_html: 'Still' })).toMatchObject({
    ...NO_LINK,
    content_html: 'Still',
    updated_at: LATER,
  })
})
