import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'

const TAKEN = {
  code: 'conflict',
  message: 'A record with this value already exists.',
  fields: { key: 'A record with this value already exists.' },
}

test('a new workspace has four task types', async () => {
  const { crm, owner } = await createTestCrm()
  const { data } = await crm.taskTypes.list(owner, { order_by: 'title', order: 'asc' })
  const common = { id: expect.any(String), color: '#6b7280' }
  const stamps = (at: string) => ({ created_at: at, updated_at: at })
  expect(data).toEqual([
    { ...common, title: 'Call', key: 'call', ...stamps('2026-03-01T12:00:00.000Z') },
    { ...common, title: 'Email', key: 'email', ...stamps('2026-03-01T12:00:00.001Z') },
    { ...common, title: 'Meeting', key: 'meeting', ...stamps('2026-03-01T12:00:00.002Z') },
    { ...common, title: 'Task', key: 'task', ...stamps('2026-03-01T12:00:00.003Z') },
  ])
})

test('creates, reads, updates and deletes a task type', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const type = await crm.taskTypes.create(owner, { title: 'Reunião às 3', color: '#FF00aa' })
  expect(type).toEqual({
    id: type.id,
    title: 'Reunião às 3',
    color: '#ff00aa',
    key: 'reuniao_as_3',
    created_at: NOON,
    updated_at: NOON,
  })
  clock.advance(60)
  const renamed = await crm.taskTypes.update(owner, type.id, { title: 'Visit' })
  expect(renamed).toEqual({ ...type, title: 'Visit', updated_at: '2026-03-01T12:01:00.000Z' })
  expect(await crm.taskTypes.get(owner, type.id)).toEqual(renamed)
  await crm.taskTypes.remove(owner, type.id)
  expect(await catchRejection(crm.taskTypes.get(owner, type.id))).toEqual({
    code: 'not_found',
    message: 'Task type not found.',
  })
})

describe('the key', () => {
  test('generated from the title avoids existing keys', async () => {
    const { crm, owner } = await createTestCrm()
    expect((await crm.taskTypes.create(owner, { title: 'Call' })).key).toBe('call_2')
    expect((await crm.taskTypes.create(owner, { title: 'CALL!', key: null })).key).toBe('call_3')
  })

  test('is random if the title yields no characters', async () => {
    const { crm, owner } = await createTestCrm()
    expect((await crm.taskTypes.create(owner, { title: '電話' })).key).toMatch(/^task_type_[0-9a-z]{6}$/)
  })

  test('must be free if it is sent', async () => {
    const { crm, owner } = await createTestCrm()
    const visit = await crm.taskTypes.create(owner, { title: 'Visit', key: 'VISIT' })
    expect(visit.key).toBe('visit')
    expect(await catchRejection(crm.taskTypes.create(owner, { title: 'Other', key: 'Visit' }))).toEqual(TAKEN)
    expect(await catchRejection(crm.taskTypes.update(owner, visit.id, { key: 'call' }))).toEqual(TAKEN)
    expect(await crm.taskTypes.update(owner, visit.id, { key: 'visit' })).toEqual(visit)
    expect(
      await catchFieldErrors(crm.taskTypes.update(owner, visit.id, { key: null as never, color: 'red' })),
    ).toEqual({
      key: 'Must not be null.',
      color: 'Must be a hex color such as #6b7280.',
    })
  })

  test('is free again after the deletion of its type, and in another workspace', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const visit = await crm.taskTypes.create(owner, { title: 'Visit' })
    expect((await crm.taskTypes.create(otherOwner, { title: 'Visit' })).key).toBe('visit')
    await crm.taskTypes.remove(owner, visit.id)
    expect((await crm.taskTypes.create(owner, { title: 'Visit', key: 'visit' })).key).toBe('visit')
  })

  test('differs for concurrently created types', async () => {
    const { crm, owner } = await createTestCrm()
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => crm.taskTypes.create(owner, { title: 'Visit' })),
    )
    const expected = ['visit', ...Array.from({ length: 19 }, (_, index) => `visit_${index + 2}`)]
    expect(new Set(keys.map(({ key }) => key))).toEqual(new Set(expected))
  })
})

test('allows members to read task types and not to write them', async () => {
  const { crm, ann } = await createTestCrm()
  const [type] = (await crm.taskTypes.list(ann)).data
  expect(await catchRejection(crm.taskTypes.create(ann, { title: 'Visit' }))).toEqual({
    code: 'forbidden',
    message: 'You do not have permission to create this task type.',
  })
  expect(await catchRejection(crm.taskTypes.update(ann, type!.id, { title: 'Visit' }))).toMatchObject({
    code: 'forbidden',
  })
  expect(await catchRejection(crm.taskTypes.remove(ann, type!.id))).toMatchObject({ code: 'forbidden' })
})
