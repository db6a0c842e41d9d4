import { EVENT_NAMES } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { uploadFile, workOffImports } from '../support/import-files.ts'
import { addMemberWithPassword, openBrowser, PASSWORD } from '../support/page-browser.ts'
import { mailLinksTo } from '../support/queued-mail.ts'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'
import { addWebhook, createEventReader } from '../support/webhook-fixtures.ts'

const HOUR = 3_600_000
const STAGES = [{ name: 'New' }, { name: 'Won', type: 'win' }, { name: 'Lost', type: 'lost' }]

async function openWithReader(storage: Storage) {
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  await addWebhook(service, acme)
  const readEvents = createEventReader(service, acme)
  return {
    service,
    acme,
    readEvents,
    readEventNames: async () => (await readEvents()).map(({ event }) => event).sort(),
  }
}

describeEachStore('events for subscribers', (open) => {
  test('every event name is emitted by some operation', async () => {
    const { service, acme, readEventNames } = await openWithReader(await open())
    const emittedNames = new Set<string>()
    const ids: Record<string, string> = {}

    async function expectEvents(action: () => Promise<unknown>, events: readonly string[]): Promise<void> {
      await action()
      const names = await readEventNames()
      expect(names).toEqual([...events].sort())
      for (const name of names) emittedNames.add(name)
    }
    const createRecord = (kind: string, body: object) => async () => {
      ids[kind] = (await acme.createRecord(`/v1/${kind}`, body)).id
    }
    const updateRecord = (kind: string, body: object) => async () => {
      expect((await acme.call('PATCH', `/v1/${kind}/${ids[kind]}`, body)).status).toBe(200)
    }
    const deleteRecord = (kind: string) => async () => {
      expect((await acme.call('DELETE', `/v1/${kind}/${ids[kind]}`)).status).toBe(204)
    }

    for (const [kind, entity, body, change] of [
      ['people', 'person', { full_name: 'Ana' }, { score: 7 }],
      ['companies', 'company', { full_name: 'Ferro' }, { full_name: 'Aço' }],
      ['activities', 'activity', { content_html: 'Hi' }, { content_html: 'Ho' }],
      ['products', 'product', { name: 'Chair', currency: 'BRL' }, { is_active: false }],
      ['tags', 'tag', { name: 'Hot' }, { name: 'Cold' }],
      ['teams', 'team', { name: 'South' }, { name: 'North' }],
      ['tasks', 'task', { title: 'Call' }, { priority: 'low' }],
      ['pipelines', 'pipeline', { name: 'Sales', stages: STAGES }, { name: 'Sales 2' }],
    ] as const) {
      await expectEvents(createRecord(kind, body), [`${entity}.created`])
      await expectEvents(updateRecord(kind, change), [`${entity}.updated`])
      await expectEvents(updateRecord(kind, change), [])
      if (kind === 'tasks')
        await expectEvents(updateRecord(kind, { completed: true }), ['task.updated', 'task.completed'])
      await expectEvents(deleteRecord(kind), [`${entity}.deleted`])
    }

    const pipeline = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const [initial, won, lost] = (pipeline['stages'] as { id: string }[]).map(({ id }) => id)
    await readEventNames()
    await expectEvents(createRecord('deals', { name: 'Chairs' }), ['deal.created'])
    await expectEvents(updateRecord('deals', { amount: 5 }), ['deal.updated'])
    await expectEvents(updateRecord('deals', { stage_id: won }), [
      'deal.updated',
      'deal.stage_changed',
      'deal.won',
    ])
    await expectEvents(updateRecord('deals', { stage_id: lost }), [
      'deal.updated',
      'deal.stage_changed',
      'deal.lost',
    ])
    await expectEvents(updateRecord('deals', { stage_id: initial }), ['deal.updated', 'deal.stage_changed'])
    await expectEvents(deleteRecord('deals'), ['deal.deleted'])

    const { id } = await uploadFile(acme, service, 'Name,Email\nAna,ana@x.example', 'people.csv')
    await acme.call('PATCH', `/v1/imports/${id}`, { events: 'summary' })
    await expectEvents(async () => {
      expect((await acme.call('POST', `/v1/imports/${id}/run`)).status).toBe(200)
      await workOffImports(service.crm)
    }, ['import.completed'])

    const owner = await addMemberWithPassword(service, acme, 'boss', 'owner')
    await readEventNames()
    const browser = openBrowser(service)
    await browser.signIn(owner.email)
    const membersPath = `/workspaces/${acme.slug}/members`
    const email = `cleo@${acme.slug}.example`
    await expectEvents(
      async () =>
        browser.submit(await browser.get(membersPath), `${membersPath}/invite`, { email, role: 'member' }),
      ['member_invited'],
    )
    const [link = ''] = await mailLinksTo(service, email)
    const invitedBrowser = openBrowser(service)
    await expectEvents(
      async () =>
        invitedBrowser.submit(await invitedBrowser.get(link), link, { name: 'Cleo', password: PASSWORD }),
      ['member_joined'],
    )
    await expectEvents(
      () => service.crm.operator.removeMember({ workspace: acme.slug, email }),
      ['member_removed'],
    )
    await expectEvents(() => addMemberWithPassword(service, acme, 'dan'), ['member_joined'])

    await service.crm.usage.save()
    service.advanceClock(2 * HOUR)
    await expectEvents(async () => {
      while ((await service.crm.usage.announce()) > 0);
    }, ['usage_logs.created'])

    expect([...emittedNames].sort()).toEqual([...EVENT_NAMES].sort())
  })

  test("contain the record as read, and a person's e-mails by position", async () => {
    const { acme, readEvents } = await openWithReader(await open())
    const company = await acme.createRecord('/v1/companies', { full_name: 'Ferro e Aço' })
    const tags = [(await acme.createRecord('/v1/tags', { name: 'Hot' })).id]
    await acme.createRecord('/v1/custom-fields', { label: 'Size', key: 'size', type: 'number' })
    await readEvents()
    const { id } = await acme.createRecord('/v1/people', {
      full_name: 'Ana 🔥',
      emails: [{ email: 'ana@ferro.example' }, { email: 'ana@home.example', type: 'home' }],
      company_id: company.id,
      owner_email: acme.owner.email,
      tags,
      custom_fields: [{ key: 'size', value: 1.5 }],
    })
    const person = dataOf(await acme.call('GET', `/v1/people/${id}`))
    const email = { 0: 'ana@ferro.example', 1: 'ana@home.example' }
    const envelope = {
      id: expect.any(String),
      event: 'person.created',
      version: 'v1',
      created_at: '2026-03-01T12:00:00.000Z',
    }
    expect(await readEvents()).toEqual([{ ...envelope, person: { ...person, email } }])
    await acme.call('DELETE', `/v1/people/${id}`)
    expect(await readEvents()).toEqual([
      { ...envelope, event: 'person.deleted', person: { ...person, email } },
    ])
  })

  test('twenty concurrent completions of a task emit one event', async () => {
    const { acme, readEventNames } = await openWithReader(await open())
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    await readEventNames()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('PATCH', `/v1/tasks/${id}`, { completed: true })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await readEventNames()).toEqual(['task.completed', 'task.updated'])
  })

  test('concurrent moves of a deal emit each move with its own stage', async () => {
    const { acme, readEvents } = await openWithReader(await open())
    const { stages } = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const [, won, lost] = (stages as { id: string }[]).map(({ id }) => id)
    const { id } = await acme.createRecord('/v1/deals', { name: 'Chairs' })
    await readEvents()
    const requests = [won, lost, won, lost].map((stage_id) =>
      acme.call('PATCH', `/v1/deals/${id}`, { stage_id }),
    )
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const envelopes = await readEvents()
    const stageIn = ({ deal }: (typeof envelopes)[number]) => (deal as { stage: { name: string } }).stage.name
    const stagesOf = (name: string) => envelopes.filter(({ event }) => event === name).map(stageIn)
    // A move to the current stage emits nothing.
    const moves = stagesOf('deal.stage_changed')
    expect([2, 3, 4]).toContain(moves.length)
    expect(stagesOf('deal.updated').sort()).toEqual([...moves].sort())
    expect([stagesOf('deal.won').length, stagesOf('deal.lost').length]).toEqual([
      moves.filter((stage) => stage === 'Won').length,
      moves.filter((stage) => stage === 'Lost').length,
    ])
    expect(Math.abs(stagesOf('deal.won').length - stagesOf('deal.lost').length)).toBeLessThanOrEqual(1)
  })

  test('twenty creates with one idempotency key, or one tag key, emit one event', async () => {
    const { acme, readEventNames } = await openWithReader(await open())
    const headers = { 'Idempotency-Key': 'k' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/people', { full_name: 'Ana' }, { headers })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await readEventNames()).toEqual(['person.created'])
    await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/tags', { name: 'Hot', key: 'hot' })),
    )
    expect(await readEventNames()).toEqual(['tag.created'])
  })

  test('a deal that concurrent updates move between people emits an event for each', async () => {
    const { acme, readEvents } = await openWithReader(await open())
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const deals = await Promise.all(
      [1, 2, 3].map(async (n) => (await acme.createRecord('/v1/deals', { name: `Deal ${n}` })).id),
    )
    const people = await Promise.all(
      ['Ana', 'Bia', 'Eva'].map(
        async (full_name) => (await acme.createRecord('/v1/people', { full_name })).id,
      ),
    )
    await readEvents()
    const claims = people.map((id, index) =>
      acme.call('PATCH', `/v1/people/${id}`, { deals: index % 2 === 0 ? deals : deals.toReversed() }),
    )
    expect((await Promise.all(claims)).map(({ status }) => status)).toEqual([200, 200, 200])
    const envelopes = await readEvents()
    const pairs = envelopes.flatMap(({ deal }) =>
      deal ? [deal as { id: string; person: { id: string } }] : [],
    )
    const expected = people.flatMap((person) => deals.map((deal) => `${deal} ${person}`))
    expect(pairs.map(({ id, person }) => `${id} ${person.id}`).sort()).toEqual(expected.sort())
    expect(envelopes.filter(({ event }) => event === 'person.updated')).toHaveLength(3)
  })
})
