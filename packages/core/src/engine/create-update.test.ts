import { expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Storage, Transaction } from '../ports/storage.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const FAILED = {
  code: 'internal_error',
  message: 'Person updated but associations failed. Retry the associations.',
}

/** A store whose disk fails when the deals of a workspace are written, as long as `failing` says so. */
function frailStorage(failing: () => boolean): Storage {
  const sound = memoryStorage()
  const frail = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const update: typeof stores.deals.update = async (deal, before) => {
        if (failing()) throw new Error('disk I/O error')
        await stores.deals.update(deal, before)
      }
      return { ...stores, deals: { ...stores.deals, update } }
    },
  })
  return { ...sound, transact: (work) => sound.transact((tx) => work(frail(tx))) }
}

async function frailOffice() {
  let failing = false
  const base = await createTestCrm({ storage: frailStorage(() => failing) })
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.tags.create(owner, { name: 'Hot' })
  const { id: deal } = await crm.deals.create(owner, { name: 'Big' })
  const fail = (on: boolean) => {
    failing = on
  }
  return { ...base, deal, fail }
}

test('when only the associations of a PATCH fail, its own fields are saved, the associations all stay as they were, and both are said', async () => {
  const { crm, owner, clock, deal, fail } = await frailOffice()
  const ana = await crm.people.create(owner, { full_name: 'Ana' })
  clock.set(LATER)
  fail(true)
  const refused = await catchRejection(
    crm.people.update(owner, ana.id, { full_name: 'Ana Lima', tags: ['hot'], deals: [deal] }),
  )
  expect(refused).toEqual(FAILED)
  expect(await crm.people.get(owner, ana.id)).toEqual({ ...ana, full_name: 'Ana Lima', updated_at: LATER })
  expect((await crm.people.list(owner, { search: 'lima' })).meta.total).toBe(1)
  expect((await crm.people.list(owner, { tag: 'hot' })).meta.total).toBe(0)

  fail(false)
  const retried = await crm.people.update(owner, ana.id, { tags: ['hot'], deals: [deal] })
  expect(retried.tags.map(({ key }) => key)).toEqual(['hot'])
  expect((await crm.deals.get(owner, deal)).person?.full_name).toBe('Ana Lima')
})

test('the failure is told to the operator', async () => {
  const { crm, owner, deal, fail } = await frailOffice()
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  fail(true)
  const error = await crm.people.update(owner, id, { deals: [deal] }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ cause: new Error('disk I/O error') })
})

test('when the associations of a POST fail, nothing is made', async () => {
  const { crm, owner, deal, fail } = await frailOffice()
  fail(true)
  await expect(crm.people.create(owner, { full_name: 'Ana', tags: ['hot'], deals: [deal] })).rejects.toThrow(
    'disk I/O error',
  )
  expect((await crm.people.list(owner)).meta.total).toBe(0)
  expect((await crm.deals.get(owner, deal)).updated_at).toBe(NOON)
})

test('a refusal of the associations leaves the record as it was', async () => {
  const { crm, owner } = await frailOffice()
  const ana = await crm.people.create(owner, { full_name: 'Ana' })
  expect(
    await catchRejection(crm.people.update(owner, ana.id, { full_name: 'Bea', tags: ['cold'] })),
  ).toMatchObject({
    code: 'validation_error',
  })
  expect(await crm.people.get(owner, ana.id)).toEqual(ana)
})
