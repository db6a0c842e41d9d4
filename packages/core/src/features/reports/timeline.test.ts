import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { reportResponses } from '../../index.ts'
import type { Timeline } from './report-views.ts'

/** A company with a person, each with a deal, which moves; everything a minute after what went before. */
async function story() {
  const acme = await createTestCrm()
  const { crm, owner, clock } = acme
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work
    clock.advance(60)
    return done
  }
  const { stages } = await after(
    crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }, { name: 'Won', type: 'win' }] }),
  )
  const won = stages[1]!.id
  const company = await after(crm.companies.create(owner, { full_name: 'Acme' }))
  const person = await after(crm.people.create(owner, { full_name: 'Ana', company_id: company.id }))
  const deal = await after(
    crm.deals.create(owner, { name: 'Roof', person_id: person.id, company_id: company.id }),
  )
  const activity = await after(
    crm.activities.create(owner, { content_html: 'Called', entity: 'people', entity_id: person.id }),
  )
  const task = await after(
    crm.tasks.create(owner, { title: 'Offer', person_id: person.id, deal_id: deal.id }),
  )
  await after(crm.deals.update(acme.ann, deal.id, { stage_id: won }))
  return { ...acme, won, company, person, deal, activity, task }
}

function kindsOf({ data }: Timeline): string[] {
  return data.map(({ kind }) => kind)
}

describe('a timeline', () => {
  test('has what came about for a person, newest first, each as its list shows it', async () => {
    const { crm, owner, ann, person, deal, task, activity, won } = await story()
    const found = await crm.reports.timeline(owner, { entity: 'people', id: person.id })
    expect(kindsOf(found)).toEqual(['stage_move', 'task', 'activity', 'deal'])
    expect(found.meta).toEqual({ total: 4, limit: 20, has_more: false, left_out: [] })
    expect(found.data.map(({ at }) => at)).toEqual([
      '2026-03-01T12:06:00.000Z',
      '2026-03-01T12:05:00.000Z',
      '2026-03-01T12:04:00.000Z',
      '2026-03-01T12:03:00.000Z',
    ])
    const [moved, todo, said, made] = found.data
    expect(moved).toMatchObject({
      stage_move: {
        deal: { id: deal.id, name: 'Roof' },
        from_stage: { name: 'New', type: 'open' },
        to_stage: { id: won, name: 'Won', type: 'win' },
        to_pipeline: { name: 'Sales' },
        user: { id: ann.userId, email: 'ann@acme.example' },
      },
    })
    expect(todo).toMatchObject({ task: { id: task.id, title: 'Offer', person: { full_name: 'Ana' } } })
    expect(said).toMatchObject({ activity: { id: activity.id, entity: 'people' } })
    expect(made).toMatchObject({ deal: { id: deal.id, stage: { name: 'Won' } } })
    expect(v.parse(reportResponses.timeline, JSON.parse(JSON.stringify(found)))).toEqual(found)
  })

  test('of a company has its deals and their moves, of a deal its own and not the making of it', async () => {
    const { crm, owner, company, deal } = await story()
    expect(kindsOf(await crm.reports.timeline(owner, { entity: 'companies', id: company.id }))).toEqual([
      'stage_move',
      'deal',
    ])
    expect(
      kindsOf(await crm.reports.timeline(owner, { entity: 'deals', id: deal.id.toUpperCase() })),
    ).toEqual(['stage_move', 'task'])
  })

  test('goes as far as it is asked to, and says whether there is more', async () => {
    const { crm, owner, person } = await story()
    const first = await crm.reports.timeline(owner, { entity: 'people', id: person.id, limit: 3 })
    expect(kindsOf(first)).toEqual(['stage_move', 'task', 'activity'])
    expect(first.meta).toEqual({ total: 4, limit: 3, has_more: true, left_out: [] })
    const since = await crm.reports.timeline(owner, {
      entity: 'people',
      id: person.id,
      since: '2026-03-01T13:05:00+01:00',
    })
    expect(kindsOf(since)).toEqual(['stage_move', 'task'])
  })

  test('has those of one instant in one order, whatever is asked for', async () => {
    const { crm, owner, person } = await story()
    for (const title of ['a', 'b', 'c']) {
      await crm.tasks.create(owner, { title, person_id: person.id })
      await crm.activities.create(owner, { content_html: title, entity: 'people', entity_id: person.id })
    }
    const whole = await crm.reports.timeline(owner, { entity: 'people', id: person.id })
    const titles = whole.data
      .slice(0, 6)
      .map((entry) => (entry.kind === 'task' ? entry.task.title : entry.kind))
    expect(titles).toEqual(['activity', 'c', 'activity', 'b', 'activity', 'a'])
    for (const limit of [1, 2, 3, 4, 5]) {
      const part = await crm.reports.timeline(owner, { entity: 'people', id: person.id, limit })
      expect(part.data).toEqual(whole.data.slice(0, limit))
    }
  })

  test('leaves out what the actor may not read, and says so', async () => {
    const { crm, owner, person, deal } = await story()
    const some = { ...owner, scopes: new Set(['people:read', 'tasks:read']) }
    const found = await crm.reports.timeline(some, { entity: 'people', id: person.id })
    expect(kindsOf(found)).toEqual(['task'])
    expect(found.meta).toMatchObject({
      total: 1,
      left_out: [
        { kind: 'activity', scope: 'activities:read' },
        { kind: 'stage_move', scope: 'deals:read' },
        { kind: 'deal', scope: 'deals:read' },
      ],
    })
    const ofDeals = { ...owner, scopes: new Set(['deals:read']) }
    const { meta } = await crm.reports.timeline(ofDeals, { entity: 'deals', id: deal.id })
    expect(meta.left_out.map(({ kind }) => kind)).toEqual(['activity', 'task'])
  })

  test('shows no deleted records, and no moves of a deleted deal', async () => {
    const { crm, owner, person, deal, task, activity } = await story()
    await crm.tasks.remove(owner, task.id)
    await crm.activities.remove(owner, activity.id)
    await crm.deals.remove(owner, deal.id)
    expect((await crm.reports.timeline(owner, { entity: 'people', id: person.id })).data).toEqual([])
  })

  test('keeps a move whose stages are gone', async () => {
    const { crm, owner, person, deal } = await story()
    const [pipeline] = (await crm.pipelines.list(owner)).data
    const kept = pipeline!.stages.filter(({ name }) => name !== 'New')
    await crm.pipelines.update(owner, pipeline!.id, { stages: kept.map(({ id }) => ({ id })) })
    const [moved] = (await crm.reports.timeline(owner, { entity: 'people', id: person.id })).data
    expect(moved).toMatchObject({
      stage_move: { deal: { id: deal.id }, from_stage: null, to_stage: { name: 'Won' } },
    })
  })

  test('is of what there is: not of nobody, not of the deleted, not of another workspace', async () => {
    const { crm, owner, otherOwner, person } = await story()
    const asked = { entity: 'people', id: person.id } as const
    expect(await catchRejection(crm.reports.timeline(otherOwner, asked))).toEqual({
      code: 'not_found',
      message: 'Person not found.',
    })
    expect(
      await catchRejection(crm.reports.timeline(owner, { entity: 'companies', id: UNKNOWN_ID })),
    ).toMatchObject({
      message: 'Company not found.',
    })
    await crm.people.remove(owner, person.id)
    expect(await catchRejection(crm.reports.timeline(owner, asked))).toMatchObject({ code: 'not_found' })
  })

  test('needs the scope of what it is of', async () => {
    const { crm, owner, person } = await story()
    const some = { ...owner, scopes: new Set(['tasks:read', 'deals:read']) }
    const refusal = await catchRejection(crm.reports.timeline(some, { entity: 'people', id: person.id }))
    expect(refusal).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining("'people:read'"),
    })
  })

  test('names everything that is wrong with what is asked', async () => {
    const { crm, owner } = await story()
    const asked = {
      entity: 'tasks',
      id: 'x',
      since: 'yesterday',
      limit: 101,
      sinse: '',
    } as unknown as Parameters<typeof crm.reports.timeline>[1]
    expect(await catchFieldErrors(crm.reports.timeline(owner, asked))).toEqual({
      sinse: 'Unknown field. Did you mean "since"?',
      entity: 'Must be one of: people, companies, deals.',
      id: 'Must be a UUID.',
      since: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
      limit: 'Must be an integer between 1 and 100.',
    })
  })
})
