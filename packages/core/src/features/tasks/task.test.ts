import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

const LATER = '2026-03-01T13:00:00.000Z'

async function createTaskReferences() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const person = await crm.people.create(owner, { full_name: 'Ana', position: 'Buyer' })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const deal = await crm.deals.create(owner, { name: 'Big', amount: 100, person_id: person.id })
  return { ...base, person, company, deal }
}

test('returns a task in full from every call', async () => {
  const { crm, owner, ann, person, company, deal, clock } = await createTaskReferences()
  const task = await crm.tasks.create(owner, {
    title: ' Call Ana ',
    notes: ' first line\nsecond ',
    due_date: '2026-03-02T09:00:00-03:00',
    type: 'call',
    person_id: person.id,
    company_id: company.id,
    deal_id: deal.id,
    owner_email: ANN.email,
    priority: 'high',
    completed: true,
  })
  const stamps = { created_at: NOON, updated_at: NOON }
  expect(task).toEqual({
    id: task.id,
    title: 'Call Ana',
    notes: ' first line\nsecond ',
    due_date: '2026-03-02T12:00:00.000Z',
    type: { id: task.type?.id, title: 'Call', color: '#6b7280', key: 'call', ...stamps },
    person: {
      id: person.id,
      full_name: 'Ana',
      emails: [],
      phones: [],
      score: 0,
      position: 'Buyer',
      ...stamps,
    },
    company: { id: company.id, full_name: 'Acme', emails: [], phones: [], ...stamps },
    deal: {
      id: deal.id,
      name: 'Big',
      amount: 100,
      currency: 'USD',
      formatted_amount: '$1.00',
      pipeline: { id: deal.pipeline?.id, name: 'Sales' },
      stage: { id: deal.stage?.id, name: 'New', type: 'open' },
      source: null,
      forecast_date: null,
      ...stamps,
    },
    owner: { id: ann.userId, ...ANN },
    priority: 'high',
    completed: true,
    external_ids: [],
    shared_with: [],
    remind_at: null,
    ...stamps,
  })
  expect(await crm.tasks.get(owner, task.id)).toEqual(task)
  const { shared_with, remind_at, ...item } = task
  expect((await crm.tasks.list(owner, { include: 'external_ids' })).data).toEqual([item])

  clock.set(LATER)
  const emptied = {
    notes: null,
    due_date: null,
    type: null,
    person_id: null,
    company_id: null,
    deal_id: null,
    owner_email: null,
    priority: null,
  }
  expect(await crm.tasks.update(owner, task.id, { ...emptied, completed: false })).toEqual({
    id: task.id,
    title: 'Call Ana',
    notes: null,
    due_date: null,
    type: null,
    person: null,
    company: null,
    deal: null,
    owner: null,
    priority: null,
    completed: false,
    external_ids: [],
    shared_with: [],
    remind_at: null,
    created_at: NOON,
    updated_at: LATER,
  })
  await crm.tasks.remove(owner, task.id)
  expect(await catchRejection(crm.tasks.get(owner, task.id))).toEqual({
    code: 'not_found',
    message: 'Task not found.',
  })
})

test('requires only a title', async () => {
  const { crm, owner } = await createTestCrm()
  const task = await crm.tasks.create(owner, { title: 'Call', priority: null, completed: null })
  expect(task).toEqual({
    id: task.id,
    title: 'Call',
    notes: null,
    due_date: null,
    type: null,
    person: null,
    company: null,
    deal: null,
    owner: null,
    priority: 'medium',
    completed: false,
    external_ids: [],
    shared_with: [],
    remind_at: null,
    created_at: NOON,
    updated_at: NOON,
  })
})

describe('a record that a task refers to', () => {
  test('is null after its deletion, which leaves the task unchanged', async () => {
    const { crm, owner, person, company, deal } = await createTaskReferences()
    const type = await crm.taskTypes.create(owner, { title: 'Visit' })
    const links = {
      type: 'visit',
      person_id: person.id,
      company_id: company.id,
      deal_id: deal.id,
      owner_email: ANN.email,
    }
    const task = await crm.tasks.create(owner, { title: 'Call', ...links })
    await crm.taskTypes.remove(owner, type.id)
    await crm.people.remove(owner, person.id)
    await crm.companies.remove(owner, company.id)
    await crm.deals.remove(owner, deal.id)
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await crm.tasks.get(owner, task.id)).toEqual({
      ...task,
      type: null,
      person: null,
      company: null,
      deal: null,
      owner: null,
    })
  })

  test('must exist in the same workspace', async () => {
    const { crm, owner, otherOwner, person, deal } = await createTaskReferences()
    const [visit] = (await crm.taskTypes.list(otherOwner)).data
    const theirs = {
      type: visit!.id,
      person_id: person.id,
      company_id: UNKNOWN_ID,
      deal_id: deal.id,
      owner_email: ANN.email,
    }
    const faults = {
      type: 'Task type not found.',
      person_id: 'Person not found.',
      company_id: 'Company not found.',
      deal_id: 'Deal not found.',
      owner_email: 'Member not found.',
    }
    const mine = await crm.tasks.create(otherOwner, { title: 'Mine' })
    const links = { ...theirs, type: 'no_such_type' }
    expect(await catchFieldErrors(crm.tasks.create(otherOwner, { title: 'Call', ...links }))).toEqual(faults)
    expect(await catchFieldErrors(crm.tasks.update(otherOwner, mine.id, links))).toEqual(faults)
    expect(await catchFieldErrors(crm.tasks.create(owner, { title: 'Call', type: visit!.id }))).toEqual({
      type: 'Task type not found.',
    })
  })

  test('is a task type by id or key, in any case', async () => {
    const { crm, owner } = await createTestCrm()
    const call = (await crm.tasks.create(owner, { title: 'A', type: ' CALL ' })).type
    expect(call).toMatchObject({ key: 'call' })
    expect((await crm.tasks.create(owner, { title: 'B', type: call!.id.toUpperCase() })).type).toEqual(call)
    expect(await catchFieldErrors(crm.tasks.create(owner, { title: 'C', type: 'constructor' }))).toEqual({
      type: 'Task type not found.',
    })
    expect(await catchFieldErrors(crm.tasks.create(owner, { title: 'D', type: ' ' }))).toEqual({
      type: 'Must be the id or the key of a task type.',
    })
  })
})

test.each([
  ['person_id', 'people'],
  ['company_id', 'companies'],
  ['deal_id', 'deals'],
] as const)('does not find tasks by a deleted record in %s', async (link, kind) => {
  const { crm, owner, person, company, deal } = await createTaskReferences()
  const links = { person_id: person.id, company_id: company.id, deal_id: deal.id }
  await crm.tasks.create(owner, { title: 'Call', ...links })
  const found = async () => (await crm.tasks.list(owner, { [link]: links[link] })).meta.total
  expect(await found()).toBe(1)
  await crm[kind].remove(owner, links[link])
  expect(await found()).toBe(0)
})

test('filters tasks by status, owner, references and due date', async () => {
  const { crm, owner, person, company, deal } = await createTaskReferences()
  await crm.tasks.create(owner, { title: 'A', person_id: person.id, due_date: '2026-03-10T12:00:00Z' })
  await crm.tasks.create(owner, {
    title: 'B',
    company_id: company.id,
    due_date: '2026-03-11T12:00:00Z',
    completed: true,
  })
  await crm.tasks.create(owner, { title: 'C', deal_id: deal.id, owner_email: ANN.email })
  const found = async (query: Parameters<typeof crm.tasks.list>[1]) => {
    const { data } = await crm.tasks.list(owner, { order: 'asc', ...query })
    return data.map(({ title }) => title).join('')
  }
  expect(await found({})).toBe('ABC')
  expect(await found({ completed: true })).toBe('B')
  expect(await found({ completed: 'false' as never })).toBe('AC')
  expect(await found({ owner_email: ANN.email })).toBe('C')
  expect(await found({ person_id: person.id })).toBe('A')
  expect(await found({ company_id: company.id })).toBe('B')
  expect(await found({ deal_id: deal.id })).toBe('C')
  expect(await found({ deal_id: UNKNOWN_ID })).toBe('')
  expect(await found({ due_after: '2026-03-11T12:00:00Z' })).toBe('B')
  expect(await found({ due_before: '2026-03-10T12:00:00Z' })).toBe('A')
  expect(await found({ due_after: '2026-03-10T12:00:00Z', due_before: '2026-03-11T09:00:00-03:00' })).toBe(
    'AB',
  )
  expect(await found({ order_by: 'due_date' })).toBe('CAB')
  expect(await found({ order_by: 'due_date', order: 'desc' })).toBe('BAC')
})
