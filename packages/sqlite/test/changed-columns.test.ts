import { expect, test } from 'vitest'
import { sqliteStorage } from '../src/index.ts'
import { createTempPath, WORKSPACE } from './harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const FIELDS = [
  'webhook_id',
  'event',
  'status',
  'reason',
  'attempts',
  'attempts_count',
  'last_attempt',
  'due_at',
  'sending',
  'lease',
] as const
const SNAPSHOT = '0191d2f0-0000-7000-8000-00000000000b'

test('an update writes exactly the changed columns, for a hundred sets of changed columns', async () => {
  const storage = await sqliteStorage({ file: createTempPath() })
  const initial = {
    ...{
      id: '0191d2f0-0000-7000-8000-000000000009',
      webhook_id: WORKSPACE,
      event: 'a',
      snapshot_id: SNAPSHOT,
      status: 'pending',
      reason: null,
    },
    ...{
      attempts: [],
      attempts_count: 0,
      last_attempt: false,
      due_at: null,
      sending: false,
      lease: 0,
      created_at: AT,
      updated_at: AT,
    },
  } as const
  const changed = {
    ...{
      webhook_id: '0191d2f0-0000-7000-8000-00000000000a',
      event: 'b',
      status: 'dropped',
      reason: 'access_revoked',
      attempts: [{ b: 1 }],
      attempts_count: 1,
    },
    ...{ last_attempt: true, due_at: AT, sending: true, lease: 1 },
  }
  await storage.transact(async (tx) => {
    const { deliveries, snapshots } = tx.workspace(WORKSPACE)
    await snapshots.insert({ id: SNAPSHOT, entity: '"task":{}}', created_at: AT, updated_at: AT })
    await deliveries.insert(initial as never)
  })
  let before: Record<string, unknown> = initial
  for (let setNumber = 1; setNumber <= 100; setNumber += 1) {
    // The bits of a number choose the fields, so that the sets vary.
    const changedFields = FIELDS.filter((_, bit) => ((setNumber * 37) >> bit) & 1)
    const entries = changedFields.map((field) => [
      field,
      before[field] === changed[field] ? initial[field] : changed[field],
    ])
    const after = { ...before, ...Object.fromEntries(entries) }
    const stored = await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(WORKSPACE)
      await deliveries.update(after as never, before as never)
      return deliveries.get(initial.id)
    })
    expect(stored).toEqual(after)
    before = after
  }
  await storage.close()
})
