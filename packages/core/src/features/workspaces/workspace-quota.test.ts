import { describe, expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { findQuotaProblem, WorkspaceQuota } from './workspace-quota.ts'

const QUOTA = { records: 10, bytes: 1000 }

describe('a quota', () => {
  test.each([
    ['create', { records: 9, pendingDeliveries: 0, bytes: 0 }, 0, undefined],
    ['create', { records: 10, pendingDeliveries: 0, bytes: 0 }, 0, 'it may hold 10 records'],
    ['update', { records: 11, pendingDeliveries: 0, bytes: 0 }, 0, undefined],
    ['update', { records: 0, pendingDeliveries: 9, bytes: 900 }, 100, undefined],
    ['update', { records: 0, pendingDeliveries: 10, bytes: 0 }, 0, '10 deliveries may be pending'],
    [
      'update',
      { records: 0, pendingDeliveries: 0, bytes: 900 },
      101,
      'it may hold 1000 bytes of files and long texts',
    ],
    ['create', { records: 0, pendingDeliveries: 0, bytes: 999 }, 0, undefined],
    [
      'create',
      { records: 0, pendingDeliveries: 0, bytes: 1000 },
      0,
      'it may hold 1000 bytes of files and long texts',
    ],
  ] as const)('judges a %s in a workspace of %o with %i bytes', (kind, size, bytes, problem) => {
    const result = findQuotaProblem(size, { kind, bytes }, QUOTA)
    if (problem === undefined) expect(result).toBeUndefined()
    else expect(result).toContain(problem)
  })
})

describe('a full workspace', () => {
  test('refuses creations by the records since the last measurement, not those of another workspace', async () => {
    const { ports, owner, otherOwner, clock, crm } = await createTestCrm()
    const { records } = await sizeOf(crm, owner)
    const quota = new WorkspaceQuota({ ...ports, quota: { records: records + 2, bytes: 1e9 } })
    const create = { kind: 'create', bytes: 10 } as const
    await quota.enforceQuota(owner.workspaceId, create)
    await quota.enforceQuota(owner.workspaceId, create)
    await expect(quota.enforceQuota(owner.workspaceId, create)).rejects.toMatchObject({
      code: 'forbidden',
      message: `The workspace is full: it may hold ${records + 2} records. Delete some, or ask the operator of this service for more.`,
    })
    await quota.enforceQuota(owner.workspaceId, { kind: 'update', bytes: 10 })
    await quota.enforceQuota(otherOwner.workspaceId, create)
    // Neither call created a record.
    clock.advance(1)
    await quota.enforceQuota(owner.workspaceId, create)
  })

  test('has room again a second after a deletion', async () => {
    const { ports, owner, clock, crm } = await createTestCrm()
    const { id } = await crm.tags.create(owner, { name: 'VIP' })
    const { records } = await sizeOf(crm, owner)
    const quota = new WorkspaceQuota({ ...ports, quota: { records, bytes: 1e9 } })
    const create = { kind: 'create', bytes: 10 } as const
    await expect(quota.enforceQuota(owner.workspaceId, create)).rejects.toMatchObject({ code: 'forbidden' })
    await crm.tags.remove(owner, id)
    await expect(quota.enforceQuota(owner.workspaceId, create)).rejects.toMatchObject({ code: 'forbidden' })
    clock.advance(1)
    await quota.enforceQuota(owner.workspaceId, create)
  })

  test('counts the bytes of bodies on their way', async () => {
    const { ports, owner } = await createTestCrm()
    const quota = new WorkspaceQuota({ ...ports, quota: { records: 1e9, bytes: 1000 } })
    const calls = Array.from({ length: 20 }, () =>
      quota.enforceQuota(owner.workspaceId, { kind: 'create', bytes: 100 }),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('is measured once for many calls, and again after ten seconds or a failure', async () => {
    const { ports, owner, clock } = await createTestCrm()
    let reads = 0
    let isBroken = false
    const read: typeof ports.storage.read = (...parameters) => {
      reads += 1
      return isBroken ? Promise.reject(new Error('broken')) : ports.storage.read(...parameters)
    }
    const quota = new WorkspaceQuota({
      ...ports,
      storage: { ...ports.storage, read },
      quota: { records: 1e9, bytes: 1e9 },
    })
    const write = { kind: 'update', bytes: 10 } as const
    await Promise.all(Array.from({ length: 20 }, () => quota.enforceQuota(owner.workspaceId, write)))
    clock.advance(9)
    await quota.enforceQuota(owner.workspaceId, write)
    expect(reads).toBe(1)
    clock.advance(1)
    isBroken = true
    await expect(quota.enforceQuota(owner.workspaceId, write)).rejects.toThrow('broken')
    isBroken = false
    await quota.enforceQuota(owner.workspaceId, write)
    expect(reads).toBe(3)
    // The clock is set back by an hour.
    clock.advance(-3600)
    await quota.enforceQuota(owner.workspaceId, write)
    expect(reads).toBe(4)
  })
})

test('without a quota nothing is measured', async () => {
  const { ports, owner } = await createTestCrm()
  const read = () => Promise.reject(new Error('read'))
  const quota = new WorkspaceQuota({ ...ports, storage: { ...ports.storage, read } })
  await quota.enforceQuota(owner.workspaceId, { kind: 'create', bytes: 1e12 })
})

async function sizeOf(
  crm: Awaited<ReturnType<typeof createTestCrm>>['crm'],
  owner: Awaited<ReturnType<typeof createTestCrm>>['owner'],
) {
  return (await crm.workspace.get(owner)).storage
}
