import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { reportResponses } from '../../declarations.ts'
import type { Board } from './board-api.ts'

async function withBoard() {
  const acme = await createTestCrm()
  const { crm, owner, clock } = acme
  const pipeline = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New', probability: 10 }, { name: 'Offer' }, { name: 'Won', type: 'win' }],
  })
  const [, offer, won] = pipeline.stages
  const add = async (name: string, amount: number, stage_id?: string, more: object = {}) => {
    clock.advance(60)
    return crm.deals.create(owner, { name, amount, currency: 'USD', ...(stage_id && { stage_id }), ...more })
  }
  return { ...acme, pipeline, offer: offer!, won: won!, add }
}

function namesOf({ stages }: Board): string[][] {
  return stages.map(({ deals }) => deals.map(({ name }) => name))
}

describe('a board', () => {
  test('has the number, the sums and the first cards of each stage', async () => {
    const { crm, owner, pipeline, offer, add } = await withBoard()
    await add('Roof', 1000)
    await add('Door', 500)
    await add('Wall', 7, undefined, { currency: 'EUR' })
    const moved = await add('Gate', 3)
    const task = await crm.tasks.create(owner, { title: 'Call', deal_id: moved.id })
    await crm.deals.update(owner, moved.id, { stage_id: offer.id })
    const other = await crm.pipelines.create(owner, { name: 'Other', stages: [{ name: 'New' }] })
    await add('Elsewhere', 9, undefined, { pipeline_id: other.id })

    const board = await crm.pipelines.board(owner, pipeline.id, { limit: 2 })
    expect(board).toMatchObject({
      id: pipeline.id,
      name: 'Sales',
      stages: [
        {
          name: 'New',
          type: 'open',
          probability: 10,
          count: 3,
          amounts: [
            { currency: 'EUR', amount: 7 },
            { currency: 'USD', amount: 1500 },
          ],
          has_more: true,
        },
        { name: 'Offer', count: 1, amounts: [{ currency: 'USD', amount: 3 }], has_more: false },
        { name: 'Won', count: 0, amounts: [], deals: [], has_more: false },
      ],
    })
    expect(namesOf(board)).toEqual([['Wall', 'Door'], ['Gate'], []])
    expect(board.stages[1]!.deals[0]).toMatchObject({
      next_task: { id: task.id, title: 'Call' },
      stage_entered_at: '2026-03-01T12:04:00.000Z',
    })
    expect(v.is(reportResponses.board, JSON.parse(JSON.stringify(board)))).toBe(true)
  })

  test('is filtered and ordered like the list of deals', async () => {
    const { crm, owner, ann, pipeline, add } = await withBoard()
    await add('Roof', 1000)
    await add('Door', 500, undefined, { owner_user_id: ann.userId })
    await add('Dome', 700, undefined, { owner_user_id: ann.userId, forecast_date: '2026-04-02T00:00:00Z' })
    const read = async (query: object) => {
      const board = await crm.pipelines.board(owner, pipeline.id, query)
      return [namesOf(board)[0], board.stages[0]!.count]
    }
    expect(await read({ order_by: 'amount', order: 'asc' })).toEqual([['Door', 'Dome', 'Roof'], 3])
    expect(await read({ owner_email: 'ann@acme.example' })).toEqual([['Dome', 'Door'], 2])
    expect(
      await read({ forecast_after: '2026-04-01T00:00:00Z', forecast_before: '2026-04-30T00:00:00Z' }),
    ).toEqual([['Dome'], 1])
    expect(await read({ search: 'do' })).toEqual([['Dome', 'Door'], 2])
    expect(await read({ owner_email: 'nobody@acme.example' })).toEqual([[], 0])
  })

  test('has the latest won deals first, and with closed_after only those closed since', async () => {
    const { crm, owner, clock, pipeline, won, add } = await withBoard()
    const [roof, door] = [await add('Roof', 1), await add('Door', 2)]
    await add('Open', 3)
    clock.advance(60)
    await crm.deals.update(owner, door.id, { stage_id: won.id })
    clock.advance(60)
    await crm.deals.update(owner, roof.id, { stage_id: won.id })
    expect(namesOf(await crm.pipelines.board(owner, pipeline.id))).toEqual([['Open'], [], ['Roof', 'Door']])
    expect(
      namesOf(await crm.pipelines.board(owner, pipeline.id, { order_by: 'name', order: 'asc' }))[2],
    ).toEqual(['Door', 'Roof'])
    const since = await crm.pipelines.board(owner, pipeline.id, { closed_after: clock.now() })
    expect(namesOf(since)).toEqual([['Open'], [], ['Roof']])
    expect(since.stages[2]).toMatchObject({ count: 1, amounts: [{ amount: 1 }] })
  })

  test('leaves the next task out for an actor who cannot read tasks', async () => {
    const { crm, owner, pipeline, add } = await withBoard()
    await add('Roof', 1)
    const actor = { ...owner, scopes: new Set(['deals:read']) }
    const [card] = (await crm.pipelines.board(actor, pipeline.id)).stages[0]!.deals
    expect(Object.keys(card!)).not.toContain('next_task')
    expect(card).toHaveProperty('stage_entered_at')
    const nobody = { ...owner, scopes: new Set(['tasks:read']) }
    expect(await catchRejection(crm.pipelines.board(nobody, pipeline.id))).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  test('is not found in another workspace, and every wrong parameter is named', async () => {
    const { crm, owner, otherOwner, pipeline } = await withBoard()
    for (const [actor, id] of [
      [otherOwner, pipeline.id],
      [owner, UNKNOWN_ID],
      [owner, 'x'],
    ] as const)
      expect(await catchRejection(crm.pipelines.board(actor, id))).toMatchObject({
        code: 'not_found',
        message: 'Pipeline not found.',
      })
    const query = { page: 2, stage_id: pipeline.id, limit: 51, closed_after: 'today' }
    expect(await catchFieldErrors(crm.pipelines.board(owner, pipeline.id, query as object))).toEqual({
      page: expect.stringContaining('Unknown parameter.'),
      stage_id: expect.stringContaining('Unknown parameter.'),
      limit: 'Must be between 1 and 50.',
      closed_after: expect.stringContaining('Must be an ISO 8601 date-time'),
    })
  })
})
