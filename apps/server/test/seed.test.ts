import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Ports } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { expect, test } from 'vitest'
import { type Counts, seed } from '../src/seed/seed.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const SOME: Counts = { companies: 30, people: 60, deals: 48, tasks: 80 }

async function openWorkspace(more: Partial<Ports> = {}) {
  const ports = { ...nodePorts(), storage: memoryStorage(), now: () => NOW, ...more }
  const crm = createCrm(ports)
  const who = { owner_name: 'Olga', owner_email: 'olga@acme.example' }
  const { id } = await crm.operator.createWorkspace({ name: 'Acme', slug: 'acme', ...who })
  const actor = await crm.operator.actorFor({ workspace: 'acme', email: who.owner_email })
  const stored = () =>
    ports.storage.read(async (tx) => {
      const { companies, people, deals, stages, tasks } = tx.workspace(id)
      return {
        companies: await companies.find([]),
        people: await people.find([]),
        deals: await deals.find([]),
        stages: await stages.find([]),
        tasks: await tasks.find([]),
      }
    })
  return { crm, actor, stored, seed: (counts: Counts) => seed(ports, { workspace: 'acme', counts }) }
}

test('equal workspaces get equal records, but for ids and codes', async () => {
  const [one, other] = [await openWorkspace(), await openWorkspace()]
  await one.seed(SOME)
  await other.seed(SOME)
  const [a, b] = [await one.stored(), await other.stored()]
  expect(b.people.map(({ full_name, emails, created_at }) => ({ full_name, emails, created_at }))).toEqual(
    a.people.map(({ full_name, emails, created_at }) => ({ full_name, emails, created_at })),
  )
  expect(b.deals.map(({ name, amount }) => [name, amount])).toEqual(a.deals.map(({ name, amount }) => [name, amount]))
  expect(b.tasks.map(({ title, due_date }) => [title, due_date])).toEqual(a.tasks.map(({ title, due_date }) => [title, due_date]))
})

test('seeding again adds other records', async () => {
  const { seed, stored } = await openWorkspace()
  await seed(SOME)
  await seed(SOME)
  const { companies, people } = await stored()
  expect(people).toHaveLength(120)
  expect(new Set(companies.map(({ full_name }) => full_name)).size).toBe(60)
  expect(new Set(people.map(({ created_at }) => created_at)).size).toBe(120)
})

test('a workspace without a pipeline gets two, with deals in either currency in every stage', async () => {
  const { seed, stored } = await openWorkspace()
  await seed(SOME)
  const { deals, stages } = await stored()
  expect(new Set(stages.map(({ pipeline_id }) => pipeline_id)).size).toBe(2)
  for (const stage of stages) {
    const currencies = deals.filter(({ stage_id }) => stage_id === stage.id).map(({ currency }) => currency)
    expect(new Set(currencies)).toEqual(new Set(['BRL', 'USD']))
  }
})

test('the pipelines of a workspace are kept', async () => {
  const { crm, actor, seed, stored } = await openWorkspace()
  const own = await crm.pipelines.create(actor, { name: 'Own', stages: [{ name: 'Only' }] })
  await seed(SOME)
  const { deals } = await stored()
  expect(new Set(deals.map(({ stage_id }) => stage_id))).toEqual(new Set([own.stages[0]?.id]))
})

test('a deal is closed exactly when its stage is won or lost, after it was made', async () => {
  const { seed, stored } = await openWorkspace()
  await seed(SOME)
  const { deals, stages } = await stored()
  const open = new Set(stages.filter(({ type }) => type === 'open').map(({ id }) => id))
  for (const { stage_id, closed_at, created_at, updated_at } of deals) {
    expect(closed_at === null).toBe(open.has(stage_id))
    expect(updated_at).toBe(closed_at ?? created_at)
    expect(created_at <= updated_at && updated_at <= NOW).toBe(true)
  }
})

test('tasks are due, overdue, completed, and without a date', async () => {
  const { seed, stored } = await openWorkspace()
  await seed({ ...SOME, tasks: 400 })
  const { tasks } = await stored()
  const counted = Object.groupBy(tasks, ({ completed, due_date }) => {
    if (completed) return 'completed'
    if (due_date === null) return 'undated'
    return due_date < NOW ? 'overdue' : 'due'
  })
  expect(
    Object.entries(counted)
      .map(([kind, list]) => [kind, list.length])
      .toSorted(),
  ).toEqual([
    ['completed', 160],
    ['due', 120],
    ['overdue', 80],
    ['undated', 40],
  ])
  for (const { created_at, updated_at, due_date } of tasks) {
    expect(created_at <= updated_at && updated_at <= NOW).toBe(true)
    expect(due_date === null || created_at < due_date).toBe(true)
  }
})

test('records spread over the past year, the oldest first', async () => {
  const { seed, stored } = await openWorkspace()
  await seed(SOME)
  const { people } = await stored()
  expect(people[0]?.created_at.slice(0, 7)).toBe('2025-03')
  expect(people.at(-1)?.created_at.slice(0, 7)).toBe('2026-02')
})

test('every record passes the rules that callers are held to', async () => {
  const { crm, actor, seed, stored } = await openWorkspace()
  await seed({ companies: 600, people: 300, deals: 100, tasks: 100 })
  const { companies, people, deals, tasks } = await stored()
  for (const { full_name, emails, phones, website } of companies) {
    await crm.companies.create(actor, { full_name, emails: [...emails], phones: [...phones], website })
  }
  for (const { full_name, emails, phones, position, score } of people) {
    await crm.people.create(actor, { full_name, emails: [...emails], phones: [...phones], position, score })
  }
  for (const { name, amount, currency, source, forecast_date } of deals) {
    await crm.deals.create(actor, { name, amount, currency, source, forecast_date })
  }
  for (const { title, notes, due_date, priority } of tasks) await crm.tasks.create(actor, { title, notes, due_date, priority })
  const after = await stored()
  expect(after.companies).toHaveLength(1200)
  expect(after.tasks).toHaveLength(200)
})

test('a code that is taken is made again', async () => {
  let calls = 0
  // Three times the same code, then others: the second person clashes with the first, and so does its batch once more.
  const random = (bytes: number) => new Uint8Array(bytes).fill(calls++ < 3 ? 0 : calls)
  const { seed, stored } = await openWorkspace({ random })
  await seed({ companies: 0, people: 1, deals: 0, tasks: 0 })
  await seed({ companies: 0, people: 1, deals: 0, tasks: 0 })
  const { people } = await stored()
  expect(people.map(({ entity_id }) => entity_id).toSorted()).toEqual(['P-0000000', 'P-4444444'])
})

test('tasks alone are linked to the people that are there', async () => {
  const { seed, stored } = await openWorkspace()
  await seed({ companies: 5, people: 5, deals: 0, tasks: 0 })
  await seed({ companies: 0, people: 0, deals: 0, tasks: 20 })
  const { people, tasks } = await stored()
  const known = new Set(people.map(({ id }) => id))
  expect(tasks.some(({ person_id }) => person_id !== null && known.has(person_id))).toBe(true)
})

test('a workspace that is not there is refused', async () => {
  const ports = { ...nodePorts(), storage: memoryStorage() }
  await expect(seed(ports, { workspace: 'nope', counts: SOME })).rejects.toThrow('Workspace not found.')
})
