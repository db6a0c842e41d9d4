import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, type TestCrm } from '../../../test/harness.ts'

async function sales(): Promise<
  TestCrm & { readonly first: string; readonly second: string; readonly other: string; readonly deal: string }
> {
  const acme = await createTestCrm()
  const pipeline = await acme.crm.pipelines.create(acme.owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const elsewhere = await acme.crm.pipelines.create(acme.owner, {
    name: 'Renewals',
    stages: [{ name: 'Due' }],
  })
  const [first, second] = pipeline.stages.map(({ id }) => id) as [string, string]
  const { id } = await acme.crm.deals.create(acme.owner, { name: 'Roof', stage_id: first })
  return { ...acme, first, second, other: elsewhere.stages[0]!.id, deal: id }
}

function movesOf({ storage, owner }: TestCrm) {
  return storage.read((tx) => tx.workspace(owner.workspaceId).stage_moves.find([]))
}

describe('a move of a deal', () => {
  test('is noted with both places, who did it and when; making the deal was none', async () => {
    const acme = await sales()
    expect(await movesOf(acme)).toEqual([])
    acme.clock.advance(60)
    await acme.crm.deals.update(acme.ann, acme.deal, { stage_id: acme.second, name: 'Roofs' })
    const [move, ...others] = await movesOf(acme)
    expect(others).toEqual([])
    expect(move).toMatchObject({
      deal_id: acme.deal,
      from_stage_id: acme.first,
      to_stage_id: acme.second,
      user_id: acme.ann.userId,
      created_at: '2026-03-01T12:01:00.000Z',
      updated_at: null,
    })
    expect(move!.from_pipeline_id).toBe(move!.to_pipeline_id)
  })

  test('to another pipeline is noted with both', async () => {
    const acme = await sales()
    const { pipeline } = await acme.crm.deals.get(acme.owner, acme.deal)
    const renewals = (await acme.crm.pipelines.list(acme.owner)).data.find(({ name }) => name === 'Renewals')!
    await acme.crm.deals.update(acme.owner, acme.deal, { pipeline_id: renewals.id })
    expect(await movesOf(acme)).toMatchObject([
      { from_pipeline_id: pipeline!.id, to_pipeline_id: renewals.id, to_stage_id: acme.other },
    ])
  })

  test('is not noted where nothing moves: another change, the same stage, a deal that comes to a person', async () => {
    const acme = await sales()
    await acme.crm.deals.update(acme.owner, acme.deal, { name: 'Roofs' })
    await acme.crm.deals.update(acme.owner, acme.deal, { stage_id: acme.first, amount: 5 })
    await acme.crm.people.create(acme.owner, { full_name: 'Ana', deals: [acme.deal] })
    expect(await movesOf(acme)).toEqual([])
  })

  test('is not noted where the move is refused', async () => {
    const acme = await sales()
    await acme.crm.deals.update(acme.owner, acme.deal, { owner_user_id: acme.owner.userId })
    expect(
      await catchRejection(acme.crm.deals.update(acme.ann, acme.deal, { stage_id: acme.second })),
    ).toMatchObject({ code: 'forbidden' })
    expect(await movesOf(acme)).toEqual([])
  })

  test('stays when the deal is deleted', async () => {
    const acme = await sales()
    await acme.crm.deals.update(acme.owner, acme.deal, { stage_id: acme.second })
    await acme.crm.deals.remove(acme.owner, acme.deal)
    expect(await movesOf(acme)).toHaveLength(1)
  })
})
