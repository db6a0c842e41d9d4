import { expect, test } from 'vitest'
import {
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

const TARGET = { month: '2026-11', currency: 'BRL', amount: 200_000_00 } as const

async function setUpTargets() {
  const base = await createTestCrm()
  const { crm, owner, ann } = base
  const created = await crm.targets.create(owner, { ...TARGET, owner_id: ann.userId })
  return { ...base, created }
}

async function listMonths({ crm }: Pick<TestCrm, 'crm'>, actor: TestCrm['ann'], query = {}) {
  const { data } = await crm.targets.list(actor, { order_by: 'month', order: 'asc', ...query })
  return data.map(({ month, owner, currency }) => `${month} ${owner?.name ?? 'removed'} ${currency}`)
}

test('a target is set, read, changed and deleted', async () => {
  const { crm, owner, ann, created } = await setUpTargets()
  expect(created).toEqual({
    ...{ id: created.id, month: '2026-11', currency: 'BRL', amount: 200_000_00 },
    owner: { id: ann.userId, name: 'Ann Member', email: 'ann@acme.example' },
    ...{ created_at: NOON, updated_at: NOON },
  })
  const same = { month: '2026-11', owner_id: ann.userId, currency: 'BRL' } as const
  expect(await crm.targets.update(owner, created.id, { ...same, amount: 1 })).toMatchObject({ amount: 1 })
  expect(await crm.targets.get(ann, created.id)).toMatchObject({ amount: 1 })
  await crm.targets.remove(owner, created.id)
  expect(await catchRejection(crm.targets.get(owner, created.id))).toMatchObject({ code: 'not_found' })
  expect((await crm.targets.create(owner, { ...TARGET, owner_id: ann.userId })).id).not.toBe(created.id)
})

test('a member has one target for each month and currency', async () => {
  const { crm, owner, otherOwner, ann, ben, created } = await setUpTargets()
  const create = (input: object) =>
    crm.targets.create(owner, { ...TARGET, owner_id: ann.userId, ...input } as never)
  await expect(create({ amount: 1 })).rejects.toMatchObject({
    code: 'conflict',
    fields: { month: 'The member has a target for this month in this currency.' },
    existingIds: [created.id],
  })
  await create({ month: '2026-12' })
  await create({ currency: 'EUR' })
  await create({ owner_id: ben.userId })
  expect((await create({ currency: undefined, month: '2027-01' })).currency).toBe('USD')
  const theirs = { ...TARGET, owner_id: otherOwner.userId }
  expect((await crm.targets.create(otherOwner, theirs)).amount).toBe(TARGET.amount)
  const races = await Promise.allSettled(Array.from({ length: 20 }, () => create({ month: '2028-01' })))
  expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('lists are filtered by months, member and currency', async () => {
  const base = await setUpTargets()
  const { crm, owner, ann, ben } = base
  for (const month of ['2025-12', '2026-01', '2026-12'])
    await crm.targets.create(owner, { ...TARGET, month, owner_id: ben.userId })
  await crm.targets.create(owner, { ...TARGET, currency: 'EUR', owner_id: ben.userId })
  expect(await listMonths(base, ann, { from: '2026-01', to: '2026-11', currency: 'BRL' })).toEqual([
    '2026-01 Ben Member BRL',
    '2026-11 Ann Member BRL',
  ])
  expect(await listMonths(base, ann, { month: '2026-11', owner_id: ben.userId })).toEqual([
    '2026-11 Ben Member EUR',
  ])
  expect(await listMonths(base, ann, { owner_id: UNKNOWN_ID })).toEqual([])
  expect(await listMonths(base, ann, { from: '2027-01', to: '2026-01' })).toEqual([])
  expect(await catchFieldErrors(crm.targets.list(ann, { month: '2026-13' }))).toEqual({
    month: 'Must be a month from 1900-01 to 2999-12, such as 2026-03.',
  })
})

test('members read targets, and only owners and admins set them', async () => {
  const { crm, admin, ann, ben, created } = await setUpTargets()
  for (const call of [
    crm.targets.create(ann, { ...TARGET, month: '2026-12', owner_id: ann.userId }),
    // What exists is not told.
    crm.targets.create(ann, { ...TARGET, owner_id: ann.userId }),
    crm.targets.update(ann, created.id, { amount: 1 }),
    crm.targets.remove(ann, created.id),
  ])
    expect(await catchRejection(call)).toMatchObject({ code: 'forbidden' })
  expect((await crm.targets.get(ben, created.id)).amount).toBe(TARGET.amount)
  expect((await crm.targets.update(admin, created.id, { amount: 1 })).amount).toBe(1)
})

test('a member whom a rule bounds sees the targets of the owners whose deals it sees', async () => {
  const base = await setUpTargets()
  const { crm, owner, ann, ben, created } = base
  const hidden = await crm.targets.create(owner, { ...TARGET, owner_id: ben.userId })
  await crm.workspace.update(owner, { visibility: { deals: 'team' } })
  expect(await listMonths(base, ann)).toEqual(['2026-11 Ann Member BRL'])
  expect(await catchRejection(crm.targets.get(ann, hidden.id))).toMatchObject({ code: 'not_found' })
  expect(await catchRejection(crm.targets.update(ann, hidden.id, { amount: 1 }))).toMatchObject({
    code: 'not_found',
  })
  expect(await listMonths(base, ann, { owner_id: ben.userId })).toEqual([])
  const [sums] = (await crm.reports.targets(ann, { month: '2026-11', currency: 'BRL' })).rows
  expect(sums).toMatchObject({ owner: { id: ann.userId }, target: TARGET.amount })
  await crm.teams.create(owner, { name: 'South', members: [ann, ben].map(({ userId }) => ({ id: userId })) })
  expect(await listMonths(base, ann)).toHaveLength(2)
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  expect(await listMonths(base, ann)).toEqual(['2026-11 Ann Member BRL'])
  expect(await listMonths(base, owner)).toHaveLength(2)
  expect((await crm.targets.get(ann, created.id)).id).toBe(created.id)
})

test('the targets of a removed member stay, and no further one is set', async () => {
  const base = await setUpTargets()
  const { crm, owner, ann, created } = base
  await crm.members.remove(owner, ann.userId)
  expect(await listMonths(base, owner)).toEqual(['2026-11 removed BRL'])
  expect(await listMonths(base, owner, { owner_id: ann.userId })).toHaveLength(1)
  const input = { ...TARGET, month: '2026-12', owner_id: ann.userId }
  expect(await catchFieldErrors(crm.targets.create(owner, input))).toEqual({ owner_id: 'Member not found.' })
  expect(await crm.targets.update(owner, created.id, { amount: 1 })).toMatchObject({ owner: null, amount: 1 })
})

test('a workspace has at most ten thousand', async () => {
  const { crm, owner, storage, created, ann } = await setUpTargets()
  await storage.transact(async (tx) => {
    const { targets } = tx.workspace(owner.workspaceId)
    const target = (await targets.get(created.id))!
    await targets.insertMany(
      Array.from({ length: 9999 }, (_, nth) => ({
        ...{ ...target, id: `0198c0de-0000-7000-9000-${String(nth).padStart(12, '0')}` },
        month: `${2000 + Math.floor(nth / 12)}-01`,
      })),
    )
  })
  const one = { ...TARGET, month: '1999-01', owner_id: ann.userId }
  expect(await catchFieldErrors(crm.targets.create(owner, one))).toEqual({
    month: 'The workspace has 10000 targets, which is as many as it can have.',
  })
  await crm.targets.remove(owner, created.id)
  expect((await crm.targets.create(owner, one)).month).toBe('1999-01')
})

const MONTH_RULE = 'Must be a month from 1900-01 to 2999-12, such as 2026-03.'
const AMOUNT_RULE = 'Must be an integer between 1 and 1000000000000000.'

test.each([
  [{ month: undefined }, { month: 'Required.' }],
  [{ month: '2026-00' }, { month: MONTH_RULE }],
  [{ month: '2026-1' }, { month: MONTH_RULE }],
  [{ month: '\ud800' }, { month: expect.any(String) }],
  [{ month: '9999-12' }, { month: MONTH_RULE }],
  [{ amount: 0 }, { amount: AMOUNT_RULE }],
  [{ amount: 1.5 }, { amount: AMOUNT_RULE }],
  [{ amount: 1e15 + 1 }, { amount: AMOUNT_RULE }],
  [{ amount: '1' }, { amount: AMOUNT_RULE }],
  [{ currency: 'XXX' }, { currency: expect.stringContaining('Must be one of') }],
  [{ owner_id: UNKNOWN_ID }, { owner_id: 'Member not found.' }],
  [{ owner_id: 'ann' }, { owner_id: 'Must be a UUID.' }],
  [{ owner: {} }, { owner: expect.stringContaining('Unknown field.') }],
])('the target with %j is refused', async (input, errors) => {
  const { crm, owner, ann } = await createTestCrm()
  const target = { ...TARGET, owner_id: ann.userId, ...input } as never
  expect(await catchFieldErrors(crm.targets.create(owner, target))).toEqual(errors)
})

test.each([
  [{ month: '2026-12' }, { month: 'Must equal the current value: it cannot be changed.' }],
  [{ currency: 'EUR' }, { currency: 'Must equal the current value: it cannot be changed.' }],
  [{ amount: null }, { amount: 'Must not be null.' }],
])('the change %j is refused', async (changes, errors) => {
  const { crm, owner, created } = await setUpTargets()
  expect(await catchFieldErrors(crm.targets.update(owner, created.id, changes as never))).toEqual(errors)
})

test('the owner of a target stays, and is no member of another workspace', async () => {
  const { crm, owner, otherOwner, ben, created } = await setUpTargets()
  expect(await catchFieldErrors(crm.targets.update(owner, created.id, { owner_id: ben.userId }))).toEqual({
    owner_id: 'Must equal the current value: it cannot be changed.',
  })
  const theirs = { ...TARGET, owner_id: otherOwner.userId }
  expect(await catchFieldErrors(crm.targets.create(owner, theirs))).toEqual({ owner_id: 'Member not found.' })
})
