import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { createWebhookListener } from '../../../test/webhooks.ts'
import type { Actor } from '../../kernel/actor.ts'

const EN = { language: 'en' }

type Crm = Awaited<ReturnType<typeof createTestCrm>>['crm']

async function countRecords(crm: Crm, actor: Actor) {
  const kinds = ['companies', 'people', 'deals', 'tasks', 'pipelines'] as const
  const lists = await Promise.all(kinds.map((kind) => crm[kind].list(actor)))
  return Object.fromEntries(kinds.map((kind, index) => [kind, lists[index]!.meta.total]))
}

const ALL = { companies: 6, people: 8, deals: 12, tasks: 8, pipelines: 1 }
const NONE = { companies: 0, people: 0, deals: 0, tasks: 0, pipelines: 0 }

describe('examples', () => {
  test('are made with a pipeline, each with its event, and taken out again', async () => {
    const { crm, owner, newEventNames } = await createWebhookListener()
    expect(await crm.workspace.createExamples(owner, EN)).toEqual({ examples: 35 })
    expect(await countRecords(crm, owner)).toEqual(ALL)
    expect((await crm.workspace.get(owner)).examples).toBe(35)
    expect(await newEventNames()).toHaveLength(35)
    const { data: deals } = await crm.deals.list(owner, { per_page: 100 })
    expect(new Set(deals.map(({ stage }) => stage?.name))).toEqual(
      new Set(['New', 'Qualified', 'Offer', 'Won', 'Lost']),
    )
    expect(deals.every(({ owner: each, person, company }) => each && person && company)).toBe(true)

    expect(await crm.workspace.removeExamples(owner)).toEqual({ removed: 35, kept: [] })
    expect(await countRecords(crm, owner)).toEqual(NONE)
    expect((await crm.workspace.get(owner)).examples).toBe(0)
    expect(await newEventNames()).toHaveLength(35)
    expect(await crm.workspace.removeExamples(owner)).toEqual({ removed: 0, kept: [] })
  })

  test('are in the pipeline that is there, in the language and the currency', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.workspace.update(owner, { currency: 'JPY', time_zone: 'Asia/Tokyo' })
    const { id } = await crm.pipelines.create(owner, { name: 'Own', stages: [{ name: 'Only' }] })
    await crm.workspace.createExamples(owner, { language: 'pt-BR' })
    const { data } = await crm.deals.list(owner, { pipeline_id: id, search: 'sofás' })
    expect(data).toMatchObject([{ amount: 4000, currency: 'JPY' }])
    const { data: due } = await crm.tasks.list(owner, { order_by: 'due_date', order: 'asc' })
    expect(due[1]).toMatchObject({ title: 'Enviar a proposta', due_date: '2026-03-01T14:59:00.000Z' })
    expect((await crm.workspace.removeExamples(owner)).removed).toBe(34)
    expect((await crm.pipelines.list(owner)).meta.total).toBe(1)
  })

  test('stay when somebody changed them, with what they are linked to', async () => {
    const { crm, owner, ann, clock } = await createTestCrm()
    await crm.workspace.createExamples(owner, EN)
    const find = async (search: string) => (await crm.deals.list(owner, { search })).data[0]!
    clock.advance(60)
    const depot = await find('depot')
    await crm.deals.update(owner, depot.id, { owner_email: ANN.email })
    const { kept, removed } = await crm.workspace.removeExamples(owner)
    expect(kept.map(({ name, reason }) => [name, reason])).toEqual([
      ['Sales', 'linked'],
      ['Dune Logistics', 'linked'],
      ['Dario Wells', 'linked'],
      ['Depot lighting', 'changed'],
    ])
    expect(removed).toBe(31)
    expect(await crm.deals.get(ann, depot.id)).toMatchObject({
      person: { full_name: 'Dario Wells' },
      company: { full_name: 'Dune Logistics' },
    })
    // They are ordinary records now.
    expect(await crm.workspace.removeExamples(owner)).toEqual({ removed: 0, kept: [] })
    await crm.workspace.createExamples(owner, EN)
    expect((await crm.workspace.removeExamples(owner)).kept).toEqual([])
  })

  test('stay when a record of somebody is linked to them', async () => {
    const { crm, owner, ann } = await createTestCrm()
    await crm.workspace.createExamples(owner, EN)
    const [elm] = (await crm.companies.list(owner, { search: 'elm' })).data
    const [sofas] = (await crm.deals.list(owner, { search: 'sofas' })).data
    await crm.people.create(ann, { full_name: 'My contact', company_id: elm!.id })
    await crm.activities.create(ann, { content_html: '<p>Mine</p>', entity: 'deals', entity_id: sofas!.id })
    const { kept } = await crm.workspace.removeExamples(owner)
    expect(kept.map(({ name }) => name)).toEqual([
      'Sales',
      'Elm School',
      'Fern Studio',
      'Felix Moor',
      'Sofas',
    ])
    expect((await countRecords(crm, owner))['people']).toBe(2)
  })

  test('that somebody deleted are not missed', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.workspace.createExamples(owner, EN)
    const [task] = (await crm.tasks.list(owner)).data
    await crm.tasks.remove(owner, task!.id)
    expect(await crm.workspace.removeExamples(owner)).toEqual({ removed: 34, kept: [] })
  })

  test('of twenty requests are made once, and all or none', async () => {
    const { crm, owner } = await createTestCrm()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => crm.workspace.createExamples(owner, EN)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countRecords(crm, owner)).toEqual(ALL)
    expect(await catchRejection(crm.workspace.createExamples(owner, EN))).toEqual({
      code: 'conflict',
      message: 'A record with this value already exists.',
      fields: { examples: 'Are there already.' },
    })
    await crm.workspace.removeExamples(owner)
    await crm.customFields.create(owner, {
      label: 'Size',
      key: 'size',
      type: 'text',
      required: true,
      show_deals: true,
    })
    expect(await catchRejection(crm.workspace.createExamples(owner, EN))).toMatchObject({
      code: 'validation_error',
    })
    expect(await countRecords(crm, owner)).toEqual(NONE)
  })

  test('are for owners and admins with the scope, in their own workspace', async () => {
    const { crm, owner, admin, ann, otherOwner } = await createTestCrm()
    const forbidden = { code: 'forbidden', message: 'You do not have permission to create this example.' }
    expect(await catchRejection(crm.workspace.createExamples(ann, EN))).toEqual(forbidden)
    const reader = { ...owner, scopes: new Set(['deals:write']) }
    expect(await catchRejection(crm.workspace.createExamples(reader, EN))).toMatchObject({
      code: 'insufficient_scope',
    })
    await crm.workspace.createExamples(admin, EN)
    expect(await crm.workspace.removeExamples(otherOwner)).toEqual({ removed: 0, kept: [] })
    expect(await catchRejection(crm.workspace.removeExamples(ann))).toMatchObject({ code: 'forbidden' })
    expect((await crm.workspace.get(owner)).examples).toBe(35)
  })
})
