import { EVENT_NAMES } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
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
  const news = createEventReader(service, acme)
  return { service, acme, news, names: async () => (await news()).map(({ event }) => event).sort() }
}

describeEachStore('what subscribers are told', (open) => {
  test('every event there is follows from what somebody does', async () => {
    const { service, acme, names } = await openWithReader(await open())
    const told = new Set<string>()
    const ids: Record<string, string> = {}

    async function does(what: () => Promise<unknown>, events: readonly string[]): Promise<void> {
      await what()
      const heard = await names()
      expect(heard).toEqual([...events].sort())
      for (const name of heard) told.add(name)
    }
    const makes = (family: string, body: object) => async () => {
      ids[family] = (await acme.createRecord(`/v1/${family}`, body)).id
    }
    const changes = (family: string, body: object) => async () => {
      expect((await acme.call('PATCH', `/v1/${family}/${ids[family]}`, body)).status).toBe(200)
    }
    const deletes = (family: string) => async () => {
      expect((await acme.call('DELETE', `/v1/${family}/${ids[family]}`)).status).toBe(204)
    }

    for (const [family, entity, body, change] of [
      ['people', 'person', { full_name: 'Ana' }, { score: 7 }],
      ['companies', 'company', { full_name: 'Ferro' }, { full_name: 'Aço' }],
      ['activities', 'activity', { content_html: 'Hi' }, { content_html: 'Ho' }],
      ['products', 'product', { name: 'Chair', currency: 'BRL' }, { is_active: false }],
      ['tags', 'tag', { name: 'Hot' }, { name: 'Cold' }],
      ['tasks', 'task', { title: 'Call' }, { priority: 'low' }],
      ['pipelines', 'pipeline', { name: 'Sales', stages: STAGES }, { name: 'Sales 2' }],
    ] as const) {
      await does(makes(family, body), [`${entity}.created`])
      await does(changes(family, change), [`${entity}.updated`])
      await does(changes(family, change), [])
      if (family === 'tasks')
        await does(changes(family, { completed: true }), ['task.updated', 'task.completed'])
      await does(deletes(family), [`${entity}.deleted`])
    }

    const pipeline = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const [fresh, won, lost] = (pipeline['stages'] as { id: string }[]).map(({ id }) => id)
    await names()
    await does(makes('deals', { name: 'Chairs' }), ['deal.created'])
    await does(changes('deals', { amount: 5 }), ['deal.updated'])
    await does(changes('deals', { stage_id: won }), ['deal.updated', 'deal.stage_changed', 'deal.won'])
    await does(changes('deals', { stage_id: lost }), ['deal.updated', 'deal.stage_changed', 'deal.lost'])
    await does(changes('deals', { stage_id: fresh }), ['deal.updated', 'deal.stage_changed'])
    await does(deletes('deals'), ['deal.deleted'])

    const boss = await addMemberWithPassword(service, acme, 'boss', 'owner')
    await names()
    const browser = openBrowser(service)
    await browser.signIn(boss.email)
    const team = `/workspaces/${acme.slug}/team`
    const email = `cleo@${acme.slug}.example`
    await does(
      async () => browser.submit(await browser.get(team), `${team}/invite`, { email, role: 'member' }),
      ['member_invited'],
    )
    const [link = ''] = await mailLinksTo(service, email)
    const guest = openBrowser(service)
    await does(
      async () => guest.submit(await guest.get(link), link, { name: 'Cleo', password: PASSWORD }),
      ['member_joined'],
    )
    await does(() => service.crm.operator.removeMember({ workspace: acme.slug, email }), ['member_removed'])
    await does(() => addMemberWithPassword(service, acme, 'dan'), ['member_joined'])

    await service.crm.usage.save()
    service.advanceClock(2 * HOUR)
    await does(async () => {
      while ((await service.crm.usage.announce()) > 0);
    }, ['usage_logs.created'])

    expect([...told].sort()).toEqual([...EVENT_NAMES].sort())
  })

  test('an event holds what a read gives, and a person its addresses by position', async () => {
    const { acme, news } = await openWithReader(await open())
    const company = await acme.createRecord('/v1/companies', { full_name: 'Ferro e Aço' })
    const tags = [(await acme.createRecord('/v1/tags', { name: 'Hot' })).id]
    await acme.createRecord('/v1/custom-fields', { label: 'Size', key: 'size', type: 'number' })
    await news()
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
    expect(await news()).toEqual([{ ...envelope, person: { ...person, email } }])
    await acme.call('DELETE', `/v1/people/${id}`)
    expect(await news()).toEqual([{ ...envelope, event: 'person.deleted', person: { ...person, email } }])
  })

  test('of twenty who complete a task at the same time, one is told of', async () => {
    const { acme, names } = await openWithReader(await open())
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    await names()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('PATCH', `/v1/tasks/${id}`, { completed: true })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await names()).toEqual(['task.completed', 'task.updated'])
  })

  test('a deal that two move at the same time says of each move where it led', async () => {
    const { acme, news } = await openWithReader(await open())
    const { stages } = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const [, won, lost] = (stages as { id: string }[]).map(({ id }) => id)
    const { id } = await acme.createRecord('/v1/deals', { name: 'Chairs' })
    await news()
    const moves = [won, lost, won, lost].map((stage_id) =>
      acme.call('PATCH', `/v1/deals/${id}`, { stage_id }),
    )
    expect((await Promise.all(moves)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const told = await news()
    const stageIn = ({ deal }: (typeof told)[number]) => (deal as { stage: { name: string } }).stage.name
    const of = (name: string) => told.filter(({ event }) => event === name).map(stageIn)
    // Whoever moves it where it stands already moves nothing.
    const moved = of('deal.stage_changed')
    expect([2, 3, 4]).toContain(moved.length)
    expect(of('deal.updated').sort()).toEqual([...moved].sort())
    expect([of('deal.won').length, of('deal.lost').length]).toEqual([
      moved.filter((stage) => stage === 'Won').length,
      moved.filter((stage) => stage === 'Lost').length,
    ])
    expect(Math.abs(of('deal.won').length - of('deal.lost').length)).toBeLessThanOrEqual(1)
  })

  test('twenty equal requests with one key are told of once, and so are twenty that claim one name', async () => {
    const { acme, names } = await openWithReader(await open())
    const headers = { 'Idempotency-Key': 'k' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/people', { full_name: 'Ana' }, { headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await names()).toEqual(['person.created'])
    await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/tags', { name: 'Hot', key: 'hot' })),
    )
    expect(await names()).toEqual(['tag.created'])
  })

  test('a deal that leaves one person for another at the same time is told of by each', async () => {
    const { acme, news } = await openWithReader(await open())
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const deals = await Promise.all(
      [1, 2, 3].map(async (n) => (await acme.createRecord('/v1/deals', { name: `Deal ${n}` })).id),
    )
    const people = await Promise.all(
      ['Ana', 'Bia', 'Eva'].map(
        async (full_name) => (await acme.createRecord('/v1/people', { full_name })).id,
      ),
    )
    await news()
    const claims = people.map((id, nth) =>
      acme.call('PATCH', `/v1/people/${id}`, { deals: nth % 2 === 0 ? deals : deals.toReversed() }),
    )
    expect((await Promise.all(claims)).map(({ status }) => status)).toEqual([200, 200, 200])
    const told = await news()
    const pairs = told.flatMap(({ deal }) => (deal ? [deal as { id: string; person: { id: string } }] : []))
    const expected = people.flatMap((person) => deals.map((deal) => `${deal} ${person}`))
    expect(pairs.map(({ id, person }) => `${id} ${person.id}`).sort()).toEqual(expected.sort())
    expect(told.filter(({ event }) => event === 'person.updated')).toHaveLength(3)
  })
})
