import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, type TestCrm } from '../../../test/harness.ts'

async function setUpDeal(): Promise<
  TestCrm & {
    readonly first: string
    readonly second: string
    readonly third: string
    readonly other: string
    readonly deal: string
  }
> {
  const base = await createTestCrm()
  const pipeline = await base.crm.pipelines.create(base.owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }, { name: 'Lost', type: 'lost' }],
  })
  const renewals = await base.crm.pipelines.create(base.owner, {
    name: 'Renewals',
    stages: [{ name: 'Due' }],
  })
  const [first, second, third] = pipeline.stages.map(({ id }) => id) as [string, string, string]
  const { id } = await base.crm.deals.create(base.owner, { name: 'Roof', stage_id: first })
  return { ...base, first, second, third, other: renewals.stages[0]!.id, deal: id }
}

function loadMoves({ storage, owner }: TestCrm) {
  return storage.read((tx) => tx.workspace(owner.workspaceId).stage_moves.find([]))
}

describe('a stage move', () => {
  test('is recorded with both stages, user and time, and not for a new deal', async () => {
    const base = await setUpDeal()
    expect(await loadMoves(base)).toEqual([])
    base.clock.advance(60)
    await base.crm.deals.update(base.ann, base.deal, { stage_id: base.second, name: 'Roofs' })
    const [move, ...others] = await loadMoves(base)
    expect(others).toEqual([])
    expect(move).toMatchObject({
      deal_id: base.deal,
      from_stage_id: base.first,
      to_stage_id: base.second,
      user_id: base.ann.userId,
      created_at: '2026-03-01T12:01:00.000Z',
      updated_at: null,
    })
    expect(move!.from_pipeline_id).toBe(move!.to_pipeline_id)
  })

  test('to another pipeline is recorded with both pipelines', async () => {
    const base = await setUpDeal()
    const { pipeline } = await base.crm.deals.get(base.owner, base.deal)
    const renewals = (await base.crm.pipelines.list(base.owner)).data.find(({ name }) => name === 'Renewals')!
    await base.crm.deals.update(base.owner, base.deal, { pipeline_id: renewals.id })
    expect(await loadMoves(base)).toMatchObject([
      { from_pipeline_id: pipeline!.id, to_pipeline_id: renewals.id, to_stage_id: base.other },
    ])
  })

  test('is not recorded for another field, the same stage or a link to a person', async () => {
    const base = await setUpDeal()
    await base.crm.deals.update(base.owner, base.deal, { name: 'Roofs' })
    await base.crm.deals.update(base.owner, base.deal, { stage_id: base.first, amount: 5 })
    await base.crm.people.create(base.owner, { full_name: 'Ana', deals: [base.deal] })
    expect(await loadMoves(base)).toEqual([])
  })

  test('and the way back by the same member within a minute leave nothing', async () => {
    const base = await setUpDeal()
    const move = (stage_id: string) => base.crm.deals.update(base.owner, base.deal, { stage_id })
    await move(base.second)
    base.clock.advance(1)
    await move(base.third)
    base.clock.advance(1)
    await move(base.second)
    expect(await loadMoves(base)).toMatchObject([{ from_stage_id: base.first, to_stage_id: base.second }])
    base.clock.advance(58)
    await move(base.first)
    expect(await loadMoves(base)).toEqual([])
  })

  test.each([
    ['another member', 1, ({ ann }: TestCrm) => ann],
    ['the same member after a minute', 61, ({ owner }: TestCrm) => owner],
  ])('and the way back by %s are both recorded', async (_, seconds, actorOf) => {
    const base = await setUpDeal()
    await base.crm.deals.update(base.owner, base.deal, { stage_id: base.second })
    base.clock.advance(seconds)
    await base.crm.deals.update(actorOf(base), base.deal, { stage_id: base.first })
    expect(await loadMoves(base)).toMatchObject([
      { to_stage_id: base.second },
      { from_stage_id: base.second, to_stage_id: base.first },
    ])
  })

  test('has the time at which the deal came into the stage that it left', async () => {
    const base = await setUpDeal()
    const move = async (seconds: number, stage_id: string) => {
      base.clock.advance(seconds)
      await base.crm.deals.update(base.owner, base.deal, { stage_id })
    }
    await move(3600, base.second)
    await move(3600, base.third)
    // Taken back: the deal has been in the third stage all along.
    await move(3600, base.first)
    await move(30, base.third)
    await move(3600, base.second)
    expect(await loadMoves(base)).toMatchObject([
      { entered_at: '2026-03-01T12:00:00.000Z', created_at: '2026-03-01T13:00:00.000Z' },
      { entered_at: '2026-03-01T13:00:00.000Z', created_at: '2026-03-01T14:00:00.000Z' },
      { entered_at: '2026-03-01T14:00:00.000Z', created_at: '2026-03-01T16:00:30.000Z' },
    ])
  })

  test('has the time of creation of its own deal, whatever other deals did', async () => {
    const base = await setUpDeal()
    base.clock.advance(3600)
    await base.crm.deals.update(base.owner, base.deal, { stage_id: base.second })
    base.clock.advance(3600)
    const other = await base.crm.deals.create(base.owner, { name: 'Wall', stage_id: base.first })
    base.clock.advance(3600)
    await base.crm.deals.update(base.owner, other.id, { stage_id: base.second })
    expect(await loadMoves(base)).toMatchObject([
      { deal_id: base.deal, entered_at: '2026-03-01T12:00:00.000Z' },
      { deal_id: other.id, entered_at: '2026-03-01T14:00:00.000Z' },
    ])
  })

  test('is not recorded if the update is forbidden', async () => {
    const base = await setUpDeal()
    await base.crm.deals.update(base.owner, base.deal, { owner_user_id: base.owner.userId })
    expect(
      await catchRejection(base.crm.deals.update(base.ann, base.deal, { stage_id: base.second })),
    ).toMatchObject({ code: 'forbidden' })
    expect(await loadMoves(base)).toEqual([])
  })

  test('is kept when the deal is deleted', async () => {
    const base = await setUpDeal()
    await base.crm.deals.update(base.owner, base.deal, { stage_id: base.second })
    await base.crm.deals.remove(base.owner, base.deal)
    expect(await loadMoves(base)).toHaveLength(1)
  })
})
