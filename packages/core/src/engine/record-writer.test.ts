import { expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Storage, Transaction } from '../ports/storage.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const FAILED = {
  code: 'internal_error',
  message: 'Person updated but associations failed. Retry the associations.',
}

/** A store whose writes of deals fail with a disk error while `failing` returns true. */
function failingStorage(failing: () => boolean): Storage {
  const storage = memoryStorage()
  const withFailingDeals = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const update: typeof stores.deals.update = async (deal) => {
        if (failing()) throw new Error('disk I/O error')
        await stores.deals.update(deal)
      }
      return { ...stores, deals: { ...stores.deals, update } }
    },
  })
  return { ...storage, transact: (work) => storage.transact((tx) => work(withFailingDeals(tx))) }
}

async function createFailingCrm() {
  let failing = false
  const base = await createTestCrm({ storage: failingStorage(() => failing) })
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.tags.create(owner, { name: 'Hot' })
  const { id: deal } = await crm.deals.create(owner, { name: 'Big' })
  const fail = (on: boolean) => {
    failing = on
  }
  return { ...base, deal, fail }
}

test('a PATCH whose associations fail to be stored saves its fields, keeps the associations and reports both', async () => {
  const { crm, owner, clock, deal, fail } = await createFailingCrm()
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

test('the error has its cause, for the operator', async () => {
  const { crm, owner, deal, fail } = await createFailingCrm()
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  fail(true)
  const error = await crm.people.update(owner, id, { deals: [deal] }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ cause: new Error('disk I/O error') })
})

test('a POST whose associations fail to be stored creates nothing', async () => {
  const { crm, owner, deal, fail } = await createFailingCrm()
  fail(true)
  await expect(crm.people.create(owner, { full_name: 'Ana', tags: ['hot'], deals: [deal] })).rejects.toThrow(
    'disk I/O error',
  )
  expect((await crm.people.list(owner)).meta.total).toBe(0)
  expect((await crm.deals.get(owner, deal)).updated_at).toBe(NOON)
})

test('a PATCH with invalid associations changes nothing', async () => {
  const { crm, owner } = await createFailingCrm()
  const ana = await crm.people.create(owner, { full_name: 'Ana' })
  expect(
    await catchRejection(crm.people.update(owner, ana.id, { full_name: 'Bea', tags: ['cold'] })),
  ).toMatchObject({
    code: 'validation_error',
  })
  expect(await crm.people.get(owner, ana.id)).toEqual(ana)
})

test('a failed write of a record whose parts are written meanwhile rejects the call, and nothing else', async () => {
  const failing = memoryStorage()
  const storage: Storage = {
    ...failing,
    transact: (work) =>
      failing.transact((tx) =>
        work({
          ...tx,
          workspace(id) {
            const stores = tx.workspace(id)
            const update = async () => {
              throw new Error('disk I/O error')
            }
            const insertMany: typeof stores.stages.insertMany = async (stages) => {
              await new Promise((resolve) => setImmediate(resolve))
              await stores.stages.insertMany(stages)
            }
            return {
              ...stores,
              pipelines: { ...stores.pipelines, update },
              stages: { ...stores.stages, insertMany },
            }
          },
        }),
      ),
  }
  const { crm, owner } = await createTestCrm({ storage })
  const { id, stages } = await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const unhandled: unknown[] = []
  const remember = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', remember)
  const update = crm.pipelines.update(owner, id, { stages: [{ id: stages[0]!.id }, { name: 'Won' }] })
  await expect(update).rejects.toThrow('disk I/O error')
  process.off('unhandledRejection', remember)
  expect(unhandled).toEqual([])
  expect((await crm.pipelines.get(owner, id)).stages).toEqual(stages)
})
