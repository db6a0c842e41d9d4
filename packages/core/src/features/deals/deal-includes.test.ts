import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'

async function withPipeline() {
  const acme = await createTestCrm()
  const { stages } = await acme.crm.pipelines.create(acme.owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Offer' }],
  })
  return { ...acme, stages }
}

describe('the next task of a deal', () => {
  test('is the open one that is due first, whatever the order of creation', async () => {
    const { crm, owner } = await withPipeline()
    const [roof, door, wall] = [
      await crm.deals.create(owner, { name: 'Roof' }),
      await crm.deals.create(owner, { name: 'Door' }),
      await crm.deals.create(owner, { name: 'Wall' }),
    ]
    const add = (deal_id: string, title: string, due_date: string | null, completed = false) =>
      crm.tasks.create(owner, { title, deal_id, due_date, completed, type: 'call' })
    await add(roof.id, 'no date', null)
    await add(roof.id, 'later', '2026-03-09T12:00:00Z')
    await add(roof.id, 'done', '2026-03-01T12:00:00Z', true)
    const first = await add(roof.id, 'first', '2026-03-02T12:00:00Z')
    await add(door.id, 'older', null)
    await add(door.id, 'newer', null)
    await crm.tasks.remove(owner, (await add(door.id, 'deleted', '2026-03-02T12:00:00Z')).id)
    await add(wall.id, 'done', null, true)
    const { data } = await crm.deals.list(owner, { include: 'next_task', order_by: 'name', order: 'asc' })
    expect(data.map(({ name, next_task }) => [name, next_task?.title])).toEqual([
      ['Door', 'older'],
      ['Roof', 'first'],
      ['Wall', undefined],
    ])
    expect(data[1]!.next_task).toEqual({
      id: first.id,
      title: 'first',
      due_date: '2026-03-02T12:00:00.000Z',
      priority: 'medium',
      type: first.type,
    })
    expect(data[2]!.next_task).toBeNull()
    expect(Object.keys(data[0]!)).not.toContain('stage_entered_at')
  })

  test('is found beside a deal with very many tasks', async () => {
    const { crm, owner } = await withPipeline()
    const busy = await crm.deals.create(owner, { name: 'Busy' })
    const calm = await crm.deals.create(owner, { name: 'Calm' })
    for (let index = 0; index < 11; index += 1)
      await crm.tasks.create(owner, { title: `${index}`, deal_id: busy.id, due_date: '2026-03-02T12:00:00Z' })
    await crm.tasks.create(owner, { title: 'late', deal_id: calm.id, due_date: '2026-04-01T12:00:00Z' })
    const { data } = await crm.deals.list(owner, { include: 'next_task', order_by: 'name', order: 'asc' })
    expect(data.map(({ next_task }) => next_task?.title)).toEqual(['0', 'late'])
  })

  test('requires the scope of tasks', async () => {
    const { crm, owner } = await withPipeline()
    const actor = { ...owner, scopes: new Set(['deals:read']) }
    expect(
      await catchRejection(crm.deals.list(actor, { include: 'stage_entered_at,next_task' })),
    ).toMatchObject({
      code: 'insufficient_scope',
      message: "This endpoint requires the 'tasks:read' scope.",
    })
    await crm.deals.list(actor, { include: 'stage_entered_at' })
  })
})

test('a deal came into its stage with its last move, or when it was created', async () => {
  const { crm, owner, stages, clock } = await withPipeline()
  const roof = await crm.deals.create(owner, { name: 'Roof' })
  await crm.deals.create(owner, { name: 'Door' })
  clock.advance(60)
  await crm.deals.update(owner, roof.id, { stage_id: stages[1]!.id })
  clock.advance(60)
  await crm.deals.update(owner, roof.id, { amount: 5 })
  const { data } = await crm.deals.list(owner, {
    include: 'stage_entered_at',
    order_by: 'name',
    order: 'asc',
  })
  expect(data.map(({ stage_entered_at }) => stage_entered_at)).toEqual([
    '2026-03-01T12:00:00.000Z',
    '2026-03-01T12:01:00.000Z',
  ])
})

test('an include that is undefined is none', async () => {
  const { crm, owner } = await withPipeline()
  await crm.deals.create(owner, { name: 'Roof' })
  const [deal] = (await crm.deals.list(owner, { include: undefined })).data
  expect(Object.keys(deal!)).not.toContain('next_task')
  expect(await catchFieldErrors(crm.deals.list(owner, null as never))).toEqual({ body: expect.any(String) })
})

test.each(['', 'owner', 'next_task,', 'next_task next_task', 7 as never])(
  'the include %j is refused with the other errors',
  async (include) => {
    const { crm, owner } = await withPipeline()
    const errors = await catchFieldErrors(crm.deals.list(owner, { include, per_page: 0 }))
    expect(errors).toEqual({
      include: expect.stringMatching(
        /^Must be (a string|one or more of, separated by commas: tags, lists, people, external_ids, shared_with, following, lost_reason, lost_note, amount_source, next_task)/,
      ),
      per_page: 'Must be between 1 and 100.',
    })
  },
)
