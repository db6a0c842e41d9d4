import { expect, test } from 'vitest'
import { buildDelivery, createDeliveryWorker } from '../../../test/delivery-harness.ts'
import { createTestCrm, type TestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { SharedStores } from '../../ports/storage.ts'
import type { SharedCollection, SharedRecords } from '../../schema/index.ts'
import { CONFIDENTIAL_DEFAULTS } from '../oauth/server/app.ts'

const EXPIRED = '2026-03-09T12:00:00.000Z'
const FRESH = '2026-03-09T12:00:00.001Z'
const SUBJECT = '0198c0de-0000-7000-8000-aaaaaaaaaaaa'
const common = {
  token_hash: 'h',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}

/** A record of each collection that expires. */
const EXPIRING = {
  authorizations: {
    client_id: SUBJECT,
    redirect_uri: 'https://a.co/',
    state: null,
    scopes: [],
    audience: 'interface' as const,
    code_challenge: null,
  },
  invitations: { workspace_id: SUBJECT, user_id: SUBJECT, role: 'member' },
  rate_limits: { used: 1 },
  one_time_links: { purpose: 'credentials', subject_id: SUBJECT },
  sessions: { user_id: SUBJECT },
} as const

const CODE: Omit<SharedRecords['authorization_codes'], 'id' | 'expires_at'> = {
  ...common,
  client_id: SUBJECT,
  redirect_uri: 'https://a.co/',
  scopes: [],
  audience: 'interface' as const,
  code_challenge: null,
  workspace_id: SUBJECT,
  user_id: SUBJECT,
  grant_id: null,
}

const APP = {
  name: 'App',
  email: 'a@b.co',
  redirect_uris: [],
  scopes: [],
  secret_hash: null,
  active: false,
  ...CONFIDENTIAL_DEFAULTS,
  created_at: EXPIRED,
}

function put<C extends SharedCollection>(
  { storage }: TestCrm,
  name: C,
  ...records: readonly object[]
): Promise<void> {
  return storage.transact((tx: SharedStores) => tx[name].insertMany(records as SharedRecords[C][]))
}

async function idsIn({ storage }: TestCrm, name: SharedCollection): Promise<string[]> {
  return storage.read(async (tx) =>
    (await tx[name].list({ page: 1, per_page: 1000, order_by: 'id', order: 'asc', where: [] })).rows.map(
      ({ id }) => id,
    ),
  )
}

const DAY_SECONDS = 86_400

/** Deletes until nothing is left, and returns the number found in each round. */
async function deleteUntilEmpty({ crm }: TestCrm): Promise<number[]> {
  const counts: number[] = []
  for (let count = await crm.deleteExpired(); count > 0; count = await crm.deleteExpired()) counts.push(count)
  return counts
}

test.each(Object.entries(EXPIRING))(
  'deletes %s when they expire, to the millisecond',
  async (kind, fields) => {
    const base = await createTestCrm()
    const name = kind as keyof typeof EXPIRING
    const [expired, fresh] = [base.ports.newId(), base.ports.newId()]
    await put(
      base,
      name,
      { ...common, ...fields, key: 'a', id: expired, expires_at: EXPIRED },
      { ...common, ...fields, key: 'b', id: fresh, expires_at: FRESH },
    )
    base.clock.set(EXPIRED)
    expect(await base.crm.deleteExpired()).toBe(1)
    expect(await idsIn(base, name)).toEqual([fresh])
    expect(await base.crm.deleteExpired()).toBe(0)
  },
)

test('deletes authorization codes a day after they expire', async () => {
  const base = await createTestCrm()
  const [expired, fresh] = [base.ports.newId(), base.ports.newId()]
  await put(
    base,
    'authorization_codes',
    { ...CODE, id: expired, expires_at: '2026-03-08T12:00:00.000Z' },
    { ...CODE, id: fresh, expires_at: '2026-03-08T12:00:00.001Z' },
  )
  base.clock.set(EXPIRED)
  expect(await base.crm.deleteExpired()).toBe(1)
  expect(await idsIn(base, 'authorization_codes')).toEqual([fresh])
})

test('deletes apps a week after their last link if no secret was issued, and no others', async () => {
  const base = await createTestCrm()
  const week = '2026-03-02T12:00:00.000Z'
  const [never, young, authorizationRequest, active, rotated, off] = Array.from(
    { length: 6 },
    base.ports.newId,
  )
  await put(
    base,
    'apps',
    { ...APP, id: never, created_at: week, updated_at: week },
    { ...APP, id: young, created_at: '2026-03-02T12:00:00.001Z', updated_at: '2026-03-02T12:00:00.001Z' },
    { ...APP, id: authorizationRequest, created_at: week, updated_at: EXPIRED },
    { ...APP, id: active, created_at: week, updated_at: week, active: true, secret_hash: 'h' },
    { ...APP, id: rotated, created_at: week, updated_at: week, active: true },
    { ...APP, id: off, created_at: week, updated_at: week, secret_hash: 'h' },
  )
  base.clock.set(EXPIRED)
  expect(await base.crm.deleteExpired()).toBe(1)
  expect(await idsIn(base, 'apps')).toEqual([young, authorizationRequest, active, rotated, off])
})

test('deletes public clients a month after their registration if they were never authorized, and no others', async () => {
  const base = await createTestCrm()
  const [month, lessThanMonth] = ['2026-02-07T12:00:00.000Z', '2026-02-07T12:00:00.001Z']
  const [never, young, used, documentClient] = Array.from({ length: 4 }, base.ports.newId)
  const program = { ...APP, email: null, active: true, kind: 'registered', updated_at: EXPIRED }
  await put(
    base,
    'apps',
    { ...program, id: never, unused_since: month },
    { ...program, id: young, unused_since: lessThanMonth },
    { ...program, id: used, updated_at: month },
    {
      ...program,
      id: documentClient,
      kind: 'document',
      metadata_url: 'https://radar.example/client',
      unused_since: month,
    },
  )
  base.clock.set(EXPIRED)
  expect(await base.crm.deleteExpired()).toBe(2)
  expect(await idsIn(base, 'apps')).toEqual([young, used])
})

test('deletes finished deliveries and their snapshots a month after their last change, and pending ones never', async () => {
  const base = await createTestCrm()
  const [month, lessThanMonth] = ['2026-02-07T12:00:00.000Z', '2026-02-07T12:00:00.001Z']
  const { newId } = base.ports
  const stamps = { created_at: month, updated_at: month }
  const snapshot = () => ({ id: newId(), entity: '"task":{}}', subject: null, ...stamps })
  const [own, shared, pending, foreign] = [snapshot(), snapshot(), snapshot(), snapshot()]
  const of = ({ id: snapshot_id }: typeof own, change: object) =>
    buildDelivery({ id: newId(), snapshot_id, ...stamps, ...change })
  const finished = { due_at: null, sending: false, status: 'delivered' } as const
  const expired = [
    of(own, finished),
    of(shared, { ...finished, status: 'dropped', reason: 'retries_exhausted' }),
  ]
  const kept = [of(shared, { ...finished, updated_at: lessThanMonth }), of(pending, {})]
  await base.storage.transact(async (tx) => {
    const [here, there] = [base.ann.workspaceId, base.otherOwner.workspaceId].map((id) => tx.workspace(id))
    await here!.snapshots.insertMany([own, shared, pending])
    await here!.deliveries.insertMany([...expired, ...kept])
    await there!.snapshots.insert(foreign)
    await there!.deliveries.insert(of(foreign, finished))
  })
  base.clock.set(EXPIRED)
  expect(await deleteUntilEmpty(base)).toEqual([5])
  const remaining = (id: string) =>
    base.storage.read(async (tx) => {
      const { deliveries, snapshots } = tx.workspace(id)
      return [await deliveries.find([]), await snapshots.find([])]
    })
  expect(await remaining(base.ann.workspaceId)).toEqual([kept, [shared, pending]])
  expect(await remaining(base.otherOwner.workspaceId)).toEqual([[], []])
})

test('deletes the deliveries that changed first, of hundreds, with their snapshots', async () => {
  const base = await createDeliveryWorker()
  const webhook = await base.subscribe()
  const at = (nth: number) => new Date(Date.parse(EXPIRED) - 30 * 86_400_000 - nth).toISOString()
  const ids: string[] = []
  for (let nth = 0; nth < 301; nth += 1) {
    base.clock.set(at(nth))
    ids.push((await base.insertDelivery(webhook, { status: 'delivered', due_at: null })).id)
  }
  base.clock.set(EXPIRED)
  await base.crm.deleteExpired()
  expect((await base.deliveries()).map(({ id }) => id)).toEqual([ids[0]])
  while ((await base.crm.deleteExpired()) > 0);
  expect(await base.storage.read((tx) => tx.workspace(base.ann.workspaceId).snapshots.find([]))).toEqual([])
})

test('a delivery resent after 29 days stays in the log for 30 more', async () => {
  const base = await createDeliveryWorker()
  const webhook = await base.subscribe()
  const { id } = await base.insertDelivery(webhook)
  await base.saveOutcomes(await base.claim())
  const actor = { ...base.ann, clientId: base.client_id, scopes: new Set(['webhooks:manage']) }
  base.clock.advance(29 * DAY_SECONDS)
  await base.crm.deleteExpired()
  await base.crm.webhooks.redeliver(actor, webhook.id, id)
  await base.saveOutcomes(await base.claim())
  base.clock.advance(30 * DAY_SECONDS - 1)
  await base.crm.deleteExpired()
  expect(await base.crm.webhooks.delivery(actor, webhook.id, id)).toMatchObject({
    status: 'delivered',
    attempts_count: 2,
  })
  base.clock.advance(2)
  await base.crm.deleteExpired()
  expect(await base.deliveries()).toEqual([])
})

test('deletes usage a month after its hour, once it was announced', async () => {
  const base = await createTestCrm()
  const [month, lessThanMonth] = ['2026-02-07T12:00:00.000Z', '2026-02-07T12:00:00.001Z']
  const log = {
    ...common,
    workspace_id: SUBJECT,
    client_id: SUBJECT,
    period_start: month,
    requests: { GET: 1, POST: 0, PATCH: 0, DELETE: 0 },
  }
  const [announced, young, unannounced] = Array.from({ length: 3 }, base.ports.newId)
  await put(
    base,
    'usage_logs',
    { ...log, id: announced, period: 'a', period_end: month, due_at: null },
    { ...log, id: young, period: 'b', period_end: lessThanMonth, due_at: null },
    { ...log, id: unannounced, period: 'c', period_end: month, due_at: month },
  )
  base.clock.set(EXPIRED)
  expect(await base.crm.deleteExpired()).toBe(1)
  expect(await idsIn(base, 'usage_logs')).toEqual([young, unannounced])
  expect(await base.crm.deleteExpired()).toBe(0)
})

test('never deletes queued mail, signing keys and users', async () => {
  const base = await createTestCrm()
  const mail = {
    ...common,
    id: base.ports.newId(),
    sealed: 'x',
    due_at: common.created_at,
    attempts: 0,
    expires_at: common.created_at,
  }
  await put(base, 'queued_mail', mail)
  await base.crm.operator.rotateKey()
  const before = await Promise.all(
    (['queued_mail', 'signing_keys', 'users', 'workspaces'] as const).map((name) => idsIn(base, name)),
  )
  base.clock.set('2027-03-01T12:00:00.000Z')
  expect(await base.crm.deleteExpired()).toBe(0)
  expect(
    await Promise.all(
      (['queued_mail', 'signing_keys', 'users', 'workspaces'] as const).map((name) => idsIn(base, name)),
    ),
  ).toEqual(before)
})

test('deletes a few hundred at once, the oldest first', async () => {
  const base = await createTestCrm()
  const session = (nth: number) => ({
    ...common,
    ...EXPIRING.sessions,
    id: base.ports.newId(),
    expires_at: new Date(Date.parse(EXPIRED) - nth).toISOString(),
  })
  await put(base, 'sessions', ...Array.from({ length: 301 }, (_, nth) => session(nth)))
  const [youngest] = await idsIn(base, 'sessions')
  base.clock.set(EXPIRED)
  expect(await base.crm.deleteExpired()).toBe(300)
  expect(await idsIn(base, 'sessions')).toEqual([youngest])
  expect(await base.crm.deleteExpired()).toBe(1)
  expect(await base.crm.deleteExpired()).toBe(0)
})

test('keeps what was extended after it was listed', async () => {
  const sound = memoryStorage()
  const base = await createTestCrm({
    storage: {
      ...sound,
      transact: (work) =>
        sound.transact((tx) => {
          const { rate_limits } = tx
          const list: typeof rate_limits.list = async (query) => {
            const page = await rate_limits.list(query)
            for (const row of page.rows) await rate_limits.update({ ...row, expires_at: FRESH })
            return page
          }
          return work({ ...tx, rate_limits: { ...rate_limits, list } })
        }),
    },
  })
  const id = base.ports.newId()
  await put(base, 'rate_limits', { ...common, key: 'a', used: 1, id, expires_at: EXPIRED })
  base.clock.set(EXPIRED)
  // The record was found, so more may follow it.
  expect(await base.crm.deleteExpired()).toBe(1)
  expect(await idsIn(base, 'rate_limits')).toEqual([id])
})
