import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { reportResponses } from '../../declarations.ts'
import type { Timeline } from './timeline-views.ts'

/**
 * Creates a company, a person, a deal of both, an activity and a task, and moves the deal. The steps are a
 * minute apart.
 */
async function withHistory() {
  const acme = await createTestCrm()
  const { crm, owner, clock } = acme
  const advanceAfter = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    clock.advance(60)
    return result
  }
  const { stages } = await advanceAfter(
    crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }, { name: 'Won', type: 'win' }] }),
  )
  const won = stages[1]!.id
  const company = await advanceAfter(crm.companies.create(owner, { full_name: 'Acme' }))
  const person = await advanceAfter(crm.people.create(owner, { full_name: 'Ana', company_id: company.id }))
  const deal = await advanceAfter(
    crm.deals.create(owner, { name: 'Roof', person_id: person.id, company_id: company.id }),
  )
  const activity = await advanceAfter(
    crm.activities.create(owner, { content_html: 'Called', entity: 'people', entity_id: person.id }),
  )
  const task = await advanceAfter(
    crm.tasks.create(owner, { title: 'Offer', person_id: person.id, deal_id: deal.id }),
  )
  await advanceAfter(crm.deals.update(acme.ann, deal.id, { stage_id: won }))
  return { ...acme, won, company, person, deal, activity, task }
}

function getKinds({ data }: Timeline): string[] {
  return data.map(({ kind }) => kind)
}

describe('a timeline', () => {
  test('contains the entries of a person, newest first, as list views', async () => {
    const { crm, owner, ann, person, deal, task, activity, won } = await withHistory()
    const result = await crm.people.timeline(owner, person.id)
    expect(getKinds(result)).toEqual(['stage_move', 'task', 'activity', 'deal'])
    expect(result.meta).toEqual({ total: 4, limit: 20, has_more: false, next_cursor: null, left_out: [] })
    expect(result.data.map(({ at }) => at)).toEqual([
      '2026-03-01T12:06:00.000Z',
      '2026-03-01T12:05:00.000Z',
      '2026-03-01T12:04:00.000Z',
      '2026-03-01T12:03:00.000Z',
    ])
    const [moveEntry, taskEntry, activityEntry, dealEntry] = result.data
    expect(moveEntry).toMatchObject({
      stage_move: {
        deal: { id: deal.id, name: 'Roof' },
        from_stage: { name: 'New', type: 'open' },
        to_stage: { id: won, name: 'Won', type: 'win' },
        to_pipeline: { name: 'Sales' },
        user: { id: ann.userId, email: 'ann@acme.example' },
      },
    })
    expect(taskEntry).toMatchObject({ task: { id: task.id, title: 'Offer', person: { full_name: 'Ana' } } })
    expect(activityEntry).toMatchObject({ activity: { id: activity.id, entity: 'people' } })
    expect(dealEntry).toMatchObject({ deal: { id: deal.id, stage: { name: 'Won' } } })
    expect(v.parse(reportResponses.timeline, JSON.parse(JSON.stringify(result)))).toEqual(result)
  })

  test('of a company contains its deals and their moves, and of a deal not the deal itself', async () => {
    const { crm, owner, company, deal } = await withHistory()
    expect(getKinds(await crm.companies.timeline(owner, company.id))).toEqual(['stage_move', 'deal'])
    expect(getKinds(await crm.deals.timeline(owner, deal.id.toUpperCase()))).toEqual(['stage_move', 'task'])
  })

  test('applies limit and since, and sets has_more', async () => {
    const { crm, owner, person } = await withHistory()
    const first = await crm.people.timeline(owner, person.id, { limit: 3 })
    expect(getKinds(first)).toEqual(['stage_move', 'task', 'activity'])
    expect(first.meta).toEqual({
      total: 4,
      limit: 3,
      has_more: true,
      next_cursor: expect.any(String),
      left_out: [],
    })
    const since = await crm.people.timeline(owner, person.id, { since: '2026-03-01T13:05:00+01:00' })
    expect(getKinds(since)).toEqual(['stage_move', 'task'])
  })

  test('orders entries of the same instant consistently for every limit', async () => {
    const { crm, owner, person } = await withHistory()
    for (const title of ['a', 'b', 'c']) {
      await crm.tasks.create(owner, { title, person_id: person.id })
      await crm.activities.create(owner, { content_html: title, entity: 'people', entity_id: person.id })
    }
    const full = await crm.people.timeline(owner, person.id)
    const titles = full.data
      .slice(0, 6)
      .map((entry) => (entry.kind === 'task' ? entry.task.title : entry.kind))
    expect(titles).toEqual(['activity', 'c', 'activity', 'b', 'activity', 'a'])
    for (const limit of [1, 2, 3, 4, 5]) {
      const limited = await crm.people.timeline(owner, person.id, { limit })
      expect(limited.data).toEqual(full.data.slice(0, limit))
    }
  })

  test('is read to its end by cursors, each entry once, also those of one instant', async () => {
    const { crm, owner, person, clock } = await withHistory()
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      await crm.tasks.create(owner, { title, person_id: person.id })
      await crm.activities.create(owner, { content_html: title, entity: 'people', entity_id: person.id })
    }
    clock.advance(60)
    await crm.tasks.create(owner, { title: 'last', person_id: person.id })
    const full = await crm.people.timeline(owner, person.id, { limit: 100 })
    expect(full.data).toHaveLength(15)
    for (const limit of [1, 2, 3, 7, 15]) {
      const entries: unknown[] = []
      const totals: number[] = []
      for (let cursor: string | null | undefined; cursor !== null && entries.length < 20; ) {
        const page = await crm.people.timeline(owner, person.id, { limit, ...(cursor && { cursor }) })
        expect(page.data.length).toBeLessThanOrEqual(limit)
        entries.push(...page.data)
        totals.push(page.meta.total)
        expect(page.meta.has_more).toBe(page.meta.next_cursor !== null)
        cursor = page.meta.next_cursor
      }
      expect(entries).toEqual(full.data)
      expect(totals).toEqual(totals.map((_, page) => 15 - page * limit))
    }
  })

  test('does not repeat or omit an entry when a newer one is created between two pages', async () => {
    const { crm, owner, person } = await withHistory()
    const first = await crm.people.timeline(owner, person.id, { limit: 2 })
    await crm.tasks.create(owner, { title: 'new', person_id: person.id })
    const second = await crm.people.timeline(owner, person.id, { cursor: first.meta.next_cursor! })
    expect([...getKinds(first), ...getKinds(second)]).toEqual(['stage_move', 'task', 'activity', 'deal'])
  })

  test.each([
    '',
    'x',
    '2026-03-01T12:00:00.000Z',
    `2026-02-30T12:00:00Z_${UNKNOWN_ID}`,
    `${UNKNOWN_ID}_x`,
    '\ud800',
  ])('refuses the cursor %j', async (cursor) => {
    const { crm, owner, person } = await withHistory()
    const call = crm.people.timeline(owner, person.id, { cursor })
    expect(await catchFieldErrors(call)).toEqual({ cursor: 'Must be a next_cursor of this timeline.' })
  })

  test('omits the kinds the actor cannot read and lists them', async () => {
    const { crm, owner, person, deal } = await withHistory()
    const actor = { ...owner, scopes: new Set(['people:read', 'tasks:read']) }
    const result = await crm.people.timeline(actor, person.id)
    expect(getKinds(result)).toEqual(['task'])
    expect(result.meta).toMatchObject({
      total: 1,
      left_out: [
        { kind: 'activity', scope: 'activities:read' },
        { kind: 'stage_move', scope: 'deals:read' },
        { kind: 'deal', scope: 'deals:read' },
      ],
    })
    const dealReader = { ...owner, scopes: new Set(['deals:read']) }
    const { meta } = await crm.deals.timeline(dealReader, deal.id)
    expect(meta.left_out.map(({ kind }) => kind)).toEqual(['activity', 'task'])
  })

  test('excludes deleted records and the moves of a deleted deal', async () => {
    const { crm, owner, person, deal, task, activity } = await withHistory()
    await crm.tasks.remove(owner, task.id)
    await crm.activities.remove(owner, activity.id)
    await crm.deals.remove(owner, deal.id)
    expect((await crm.people.timeline(owner, person.id)).data).toEqual([])
  })

  test('contains a move whose stage was deleted', async () => {
    const { crm, owner, person, deal } = await withHistory()
    const [pipeline] = (await crm.pipelines.list(owner)).data
    const remaining = pipeline!.stages.filter(({ name }) => name !== 'New')
    await crm.pipelines.update(owner, pipeline!.id, { stages: remaining.map(({ id }) => ({ id })) })
    const [moveEntry] = (await crm.people.timeline(owner, person.id)).data
    expect(moveEntry).toMatchObject({
      stage_move: { deal: { id: deal.id }, from_stage: null, to_stage: { name: 'Won' } },
    })
  })

  test('returns not_found for an unknown or deleted record and one of another workspace', async () => {
    const { crm, owner, otherOwner, person } = await withHistory()
    expect(await catchRejection(crm.people.timeline(otherOwner, person.id))).toEqual({
      code: 'not_found',
      message: 'Person not found.',
    })
    expect(await catchRejection(crm.companies.timeline(owner, UNKNOWN_ID))).toMatchObject({
      message: 'Company not found.',
    })
    await crm.people.remove(owner, person.id)
    expect(await catchRejection(crm.people.timeline(owner, person.id))).toMatchObject({ code: 'not_found' })
  })

  test('requires the read scope of the entity', async () => {
    const { crm, owner, person } = await withHistory()
    const actor = { ...owner, scopes: new Set(['tasks:read', 'deals:read']) }
    const error = await catchRejection(crm.people.timeline(actor, person.id))
    expect(error).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining("'people:read'"),
    })
  })

  test('reports every invalid parameter', async () => {
    const { crm, owner, person } = await withHistory()
    const query = { since: 'yesterday', limit: 101, sinse: '' }
    expect(await catchFieldErrors(crm.people.timeline(owner, person.id, query))).toEqual({
      sinse: 'Unknown parameter. Did you mean "since"?',
      since: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
      limit: 'Must be between 1 and 100.',
    })
    expect(await catchRejection(crm.people.timeline(owner, 'x'))).toMatchObject({ code: 'not_found' })
  })
})
