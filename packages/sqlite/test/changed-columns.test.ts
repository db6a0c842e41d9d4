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

test('an update keeps what differs, whichever of a hundred sets of fields that is', async () => {
  const storage = await sqliteStorage({ file: createTempPath() })
  const blank = {
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
  const full = {
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
    await deliveries.insert(blank as never)
  })
  let before: Record<string, unknown> = blank
  for (let set = 1; set <= 100; set += 1) {
    // The bits of a number choose the fields: one that goes round them all.
    const chosen = FIELDS.filter((_, bit) => ((set * 37) >> bit) & 1)
    const turned = chosen.map((field) => [field, before[field] === full[field] ? blank[field] : full[field]])
    const after = { ...before, ...Object.fromEntries(turned) }
    const found = await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(WORKSPACE)
      await deliveries.update(after as never, before as never)
      return deliveries.get(blank.id)
    })
    expect(found).toEqual(after)
    before = after
  }
  await storage.close()
})
