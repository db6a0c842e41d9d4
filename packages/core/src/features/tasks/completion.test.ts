import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, NOON, type TestCrm } from '../../../test/harness.ts'

const LATER = '2026-03-01T13:00:00.000Z'

/** Returns the time of completion that is stored. */
async function loadCompletedAt({ storage, owner }: TestCrm, id: string) {
  const task = await storage.read((tx) => tx.workspace(owner.workspaceId).tasks.get(id))
  return task!.completed_at
}

describe('the time of completion', () => {
  test('is that of the change which completed the task, until it is opened again', async () => {
    const base = await createTestCrm()
    const { crm, owner, clock } = base
    const { id } = await crm.tasks.create(owner, { title: 'Call' })
    expect(await loadCompletedAt(base, id)).toBeNull()
    clock.set(LATER)
    await crm.tasks.update(owner, id, { completed: true })
    expect(await loadCompletedAt(base, id)).toBe(LATER)
    clock.advance(60)
    await crm.tasks.update(owner, id, { completed: true, title: 'Call Ana' })
    await crm.tasks.update(owner, id, { priority: 'low' })
    expect(await loadCompletedAt(base, id)).toBe(LATER)
    await crm.tasks.update(owner, id, { completed: false })
    expect(await loadCompletedAt(base, id)).toBeNull()
  })

  test('is that of the creation for a task that is created as completed', async () => {
    const base = await createTestCrm()
    const { id } = await base.crm.tasks.create(base.owner, { title: 'Called', completed: true })
    expect(await loadCompletedAt(base, id)).toBe(NOON)
  })

  test('is no input and in no view', async () => {
    const { crm, owner } = await createTestCrm()
    const created = await crm.tasks.create(owner, { title: 'Called', completed: true })
    const input = { title: 'Call', completed_at: LATER }
    const errors = { completed_at: 'Unknown field. Did you mean "completed"?' }
    expect(await catchFieldErrors(crm.tasks.create(owner, input))).toEqual(errors)
    expect(await catchFieldErrors(crm.tasks.update(owner, created.id, input))).toEqual(errors)
    const listed = (await crm.tasks.list(owner)).data[0]!
    for (const view of [created, listed]) expect(view).not.toHaveProperty('completed_at')
  })

  test('is no part of the version, which tasks without it have too', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const { id } = await crm.tasks.create(owner, { title: 'Called', completed: true })
    const { version } = await crm.tasks.getVersioned(owner, id)
    await storage.transact(async (tx) => {
      const { tasks } = tx.workspace(owner.workspaceId)
      await tasks.update({ ...(await tasks.get(id))!, completed_at: null })
    })
    expect((await crm.tasks.getVersioned(owner, id)).version).toBe(version)
  })
})
