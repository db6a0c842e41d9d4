import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, type TestCrm } from '../../../test/harness.ts'

async function listNames({ crm, owner }: Pick<TestCrm, 'crm' | 'owner'>) {
  const { data } = await crm.lostReasons.list(owner, { order_by: 'position', order: 'asc' })
  expect(data.map(({ position }) => position)).toEqual(data.map((_, index) => index))
  return data.map(({ name }) => name)
}

async function setUpReasons(...names: readonly string[]) {
  const base = await createTestCrm()
  const ids: string[] = []
  for (const name of names) ids.push((await base.crm.lostReasons.create(base.owner, { name })).id)
  return { ...base, ids: ids as [string, string, string] }
}

test('a new reason comes last, or where it is put', async () => {
  const base = await setUpReasons('Price', 'Timing')
  const { crm, owner } = base
  const created = await crm.lostReasons.create(owner, { name: 'No budget', position: 1 })
  expect(created).toEqual({
    ...{ id: created.id, name: 'No budget', position: 1, created_at: NOON, updated_at: NOON },
  })
  expect(await listNames(base)).toEqual(['Price', 'No budget', 'Timing'])
  expect((await crm.lostReasons.create(owner, { name: 'Other', position: 99 })).position).toBe(3)
})

test('a reason moves, and the others make place', async () => {
  const base = await setUpReasons('Price', 'Timing', 'Other')
  const { crm, owner, ids } = base
  await crm.lostReasons.update(owner, ids[2], { position: 0 })
  expect(await listNames(base)).toEqual(['Other', 'Price', 'Timing'])
  await crm.lostReasons.update(owner, ids[2], { position: 99, name: 'Something else' })
  expect(await listNames(base)).toEqual(['Price', 'Timing', 'Something else'])
  await crm.lostReasons.remove(owner, ids[0])
  expect(await listNames(base)).toEqual(['Timing', 'Something else'])
})

test('a name is taken by one reason, whatever its case, and free once that is deleted', async () => {
  const { crm, owner, ids } = await setUpReasons('Preço', 'Prazo')
  const TAKEN = { code: 'conflict', fields: { name: 'A record with this value already exists.' } }
  expect(await catchRejection(crm.lostReasons.create(owner, { name: 'PRECO' }))).toMatchObject(TAKEN)
  expect(await catchRejection(crm.lostReasons.update(owner, ids[1], { name: 'preço' }))).toMatchObject(TAKEN)
  expect((await crm.lostReasons.update(owner, ids[0], { name: 'preço' })).name).toBe('preço')
  await crm.lostReasons.remove(owner, ids[0])
  expect(await catchRejection(crm.lostReasons.get(owner, ids[0]))).toMatchObject({ code: 'not_found' })
  expect(await catchRejection(crm.lostReasons.remove(owner, ids[0]))).toMatchObject({ code: 'not_found' })
  expect((await crm.lostReasons.create(owner, { name: 'PRECO' })).position).toBe(1)
})

test('a workspace has at most a hundred, without deleted ones', async () => {
  const { crm, owner } = await createTestCrm()
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, index) => crm.lostReasons.create(owner, { name: `Reason ${index}` })),
  )
  expect(await catchFieldErrors(crm.lostReasons.create(owner, { name: 'One more' }))).toEqual({
    name: 'The workspace has 100 lost reasons, which is as many as it can have.',
  })
  await crm.lostReasons.remove(owner, all[50]!.id)
  expect((await crm.lostReasons.create(owner, { name: 'One more' })).position).toBe(99)
})

test('members read reasons, and only owners and admins change them', async () => {
  const { crm, owner, ann, ids } = await setUpReasons('Price')
  expect((await crm.lostReasons.list(ann)).meta.total).toBe(1)
  for (const call of [
    crm.lostReasons.create(ann, { name: 'Mine' }),
    crm.lostReasons.update(ann, ids[0], { name: 'Mine' }),
    crm.lostReasons.remove(ann, ids[0]),
  ])
    expect(await catchRejection(call)).toMatchObject({ code: 'forbidden' })
  expect((await crm.lostReasons.get(owner, ids[0])).name).toBe('Price')
})

test.each([
  [{ name: null }, { name: 'Must not be null.' }],
  [{ name: ' ' }, { name: 'Required.' }],
  [{ name: '\ud800' }, { name: 'Must be valid Unicode text.' }],
  [{ name: 'x'.repeat(61) }, { name: 'Must be between 1 and 60 characters.' }],
  [{ position: 100 }, { position: 'Must be an integer between 0 and 99.' }],
  [{ position: -1 }, { position: 'Must be an integer between 0 and 99.' }],
])('the change %j is refused', async (changes, errors) => {
  const { crm, owner, ids } = await setUpReasons('Price')
  expect(await catchFieldErrors(crm.lostReasons.update(owner, ids[0], changes as never))).toEqual(errors)
})
