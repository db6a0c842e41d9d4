import { describe, expect, test } from 'vitest'
import { createWebhookListener } from '../../../test/webhooks.ts'

const MIDDAY = '2026-03-10T15:00:00.000Z'

/** A workspace in São Paulo, with tasks and deals of whole days and of times. */
async function openSaoPaulo() {
  const base = await createWebhookListener()
  const { crm, owner } = base
  await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
  await finishRuns(base)
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const wholeDay = '2026-03-11T02:59:00.000Z'
  const createTask = (due_date: string | null, completed = false) =>
    crm.tasks.create(owner, { title: 'Call', due_date, completed })
  const createDeal = (forecast_date: string, stage = 0) =>
    crm.deals.create(owner, { name: 'Chairs', forecast_date, stage_id: stages[stage]!.id })
  const ids = {
    day: (await createTask(wholeDay)).id,
    done: (await createTask(wholeDay, true)).id,
    timed: (await createTask(MIDDAY)).id,
    none: (await createTask(null)).id,
    forecast: (await createDeal(wholeDay)).id,
    won: (await createDeal(wholeDay, 1)).id,
  }
  await base.newEvents()
  const readDates = async () => ({
    day: (await crm.tasks.get(owner, ids.day)).due_date,
    done: (await crm.tasks.get(owner, ids.done)).due_date,
    timed: (await crm.tasks.get(owner, ids.timed)).due_date,
    none: (await crm.tasks.get(owner, ids.none)).due_date,
    forecast: (await crm.deals.get(owner, ids.forecast)).forecast_date,
    won: (await crm.deals.get(owner, ids.won)).forecast_date,
  })
  return { ...base, ids, wholeDay, readDates }
}

async function finishRuns({ crm }: Pick<Awaited<ReturnType<typeof createWebhookListener>>, 'crm'>) {
  while (await crm.runs.continue());
}

describe('a change of the time zone', () => {
  test('moves whole days of open tasks and deals, and nothing else', async () => {
    const base = await openSaoPaulo()
    const { crm, owner, wholeDay, readDates, newEventNames } = base
    const changed = await crm.workspace.update(owner, { time_zone: 'Europe/Berlin' })
    expect(changed.time_zone_change).toEqual({
      time_zone: 'Europe/Berlin',
      total: null,
      visited: 0,
      moved: 0,
      refused: 0,
      ended_at: null,
    })
    await finishRuns(base)
    const inBerlin = '2026-03-10T22:59:00.000Z'
    expect(await readDates()).toEqual({
      day: inBerlin,
      forecast: inBerlin,
      done: wholeDay,
      won: wholeDay,
      timed: MIDDAY,
      none: null,
    })
    expect(await newEventNames()).toEqual(['task.updated', 'deal.updated'])
    expect((await crm.workspace.get(owner)).time_zone_change).toMatchObject({
      total: 3,
      visited: 3,
      moved: 2,
      ended_at: expect.any(String),
    })
  })

  test('during another one moves what that has moved and what it has not', async () => {
    const base = await openSaoPaulo()
    const { crm, owner, ids, readDates } = base
    await crm.workspace.update(owner, { time_zone: 'Europe/Berlin' })
    const allowed = [true]
    await crm.runs.continue(() => allowed.pop() ?? false)
    expect(await readDates()).toMatchObject({
      day: '2026-03-10T22:59:00.000Z',
      forecast: '2026-03-11T02:59:00.000Z',
    })
    await crm.workspace.update(owner, { time_zone: 'Asia/Kolkata' })
    await finishRuns(base)
    const inIndia = '2026-03-10T18:29:00.000Z'
    expect(await readDates()).toMatchObject({ day: inIndia, forecast: inIndia, timed: MIDDAY })
    await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
    await crm.tasks.remove(owner, ids.timed)
    await finishRuns(base)
    expect((await crm.tasks.get(owner, ids.day)).due_date).toBe('2026-03-11T02:59:00.000Z')
  })

  test('to a zone with the same clocks changes no record', async () => {
    const base = await openSaoPaulo()
    const { crm, owner, newEventNames } = base
    await crm.workspace.update(owner, { time_zone: 'America/Bahia' })
    await finishRuns(base)
    expect(await newEventNames()).toEqual([])
    expect((await crm.workspace.get(owner)).time_zone_change).toMatchObject({ visited: 3, moved: 0 })
  })

  test('leaves a day that would end after the last instant', async () => {
    const base = await openSaoPaulo()
    const { crm, owner } = base
    const last = '9999-12-31T02:59:00.000Z'
    const { id } = await crm.tasks.create(owner, { title: 'Call', due_date: last })
    const dueAfter = async (time_zone: string) => {
      await crm.workspace.update(owner, { time_zone })
      await finishRuns(base)
      return (await crm.tasks.get(owner, id)).due_date
    }
    expect(await dueAfter('UTC')).toBe('9999-12-30T23:59:00.000Z')
    await crm.tasks.update(owner, id, { due_date: '9999-12-31T23:59:00.000Z' })
    expect(await dueAfter('America/Sao_Paulo')).toBe('9999-12-31T23:59:00.000Z')
  })

  test('of the operator moves them too, and one of the name does not begin', async () => {
    const base = await openSaoPaulo()
    const { crm, owner, otherOwner, readDates } = base
    await crm.operator.updateWorkspace({ workspace: 'acme', time_zone: 'UTC' })
    await finishRuns(base)
    expect((await readDates()).day).toBe('2026-03-10T23:59:00.000Z')
    await crm.workspace.update(owner, { name: 'Acme Ltd' })
    expect(await crm.runs.continue()).toBeUndefined()
    expect((await crm.workspace.get(otherOwner)).time_zone_change).toBeNull()
  })
})
