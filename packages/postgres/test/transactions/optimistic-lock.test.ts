import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { LockOptions, Storage, Transaction } from '@sales-crm/core/ports'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const AT = '2026-03-01T12:00:00.000Z'
const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)
const EMPTY_FIELDS = {
  notes: null,
  type_id: null,
  person_id: null,
  company_id: null,
  deal_id: null,
  owner_user_id: null,
  priority: null,
}

const task = (title = '0') => ({
  ...EMPTY_FIELDS,
  id: randomUUID(),
  title,
  due_date: AT,
  completed: false,
  external_ids: [],
  shares: [],
  followers: [],
  remind_at: null,
  search_terms: '',
  completed_at: null,
  created_at: AT,
  updated_at: AT,
})
const tag = (key: string) => ({
  id: randomUUID(),
  name: key,
  color: '#6b7280',
  key,
  created_at: AT,
  updated_at: AT,
})
const tasksOf = (tx: Transaction) => tx.workspace(WORKSPACE).tasks
const tagsOf = (tx: Transaction) => tx.workspace(WORKSPACE).tags

/** Opens two storages on one database. */
async function openTwoProcesses() {
  const url = await freshDatabase(server!)
  const [one, other] = [await postgresStorage({ url }), await postgresStorage({ url })]
  const insertTasks = async (...tasks: readonly ReturnType<typeof task>[]) => {
    await one.transact((tx) => tasksOf(tx).insertMany(tasks))
    return tasks.map(({ id }) => id)
  }
  const titleOf = async (id: string) => (await one.read((tx) => tasksOf(tx).get(id)))?.title
  const keys = async () => (await one.read((tx) => tagsOf(tx).find([]))).map(({ key }) => key).sort()
  const close = () => Promise.all([one.close(), other.close()])
  return { one, other, insertTasks, titleOf, keys, close }
}

/**
 * Increments the number in the task's title.
 * @returns the number before
 */
async function incrementTitle(
  tx: Transaction,
  id: string,
  options: LockOptions = { lock: 'optimistic' },
): Promise<number> {
  const record = (await tasksOf(tx).getForUpdate(id, options))!
  await tasksOf(tx).update({ ...record, title: String(Number(record.title) + 1) })
  return Number(record.title)
}

describe.runIf(server !== null)('a record read for update', () => {
  test('loses no concurrent change across two processes with optimistic and pessimistic locks', async () => {
    const { one, other, insertTasks, titleOf, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    const lockOptions: LockOptions[] = [{ lock: 'optimistic' }, { lock: 'optimistic' }, {}]
    const increment = (storage: Storage, nth: number) =>
      storage.transact((tx) => incrementTitle(tx, id!, lockOptions[nth % 3]))
    const numbers = await Promise.all(
      [one, other].flatMap((storage) => TWENTY.map((nth) => increment(storage, nth))),
    )
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, nth) => nth))
    expect(await titleOf(id!)).toBe('40')
    await close()
  })

  test('has its work retried after another process changes it, and rolls back the first run', async () => {
    const { one, other, insertTasks, titleOf, keys, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let runs = 0
    const result = await one.transact(async (tx) => {
      runs += 1
      const run = runs
      const before = await incrementTitle(tx, id!)
      await tagsOf(tx).insert(tag(`run_${run}`))
      if (run === 1) await other.transact((otherTx) => incrementTitle(otherTx, id!))
      return before
    })
    expect([result, runs, await titleOf(id!), await keys()]).toEqual([1, 2, '2', ['run_2']])
    await close()
  })

  test('is not found if another process deletes it before the commit', async () => {
    const { one, other, insertTasks, keys, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let runs = 0
    const result = await one.transact(async (tx) => {
      runs += 1
      const record = await tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' })
      if (!record) return 'not found'
      await tasksOf(tx).update({ ...record, title: '9' })
      await tagsOf(tx).insert(tag('changed'))
      await other.transact((otherTx) => tasksOf(otherTx).softDelete(id!, AT))
      return 'changed'
    })
    expect([result, runs, await keys()]).toEqual(['not found', 2, []])
    await close()
  })

  test('is unchanged at commit even if the work only writes other records', async () => {
    const { one, other, insertTasks, keys, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let runs = 0
    await one.transact(async (tx) => {
      runs += 1
      const { title } = (await tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' }))!
      await tagsOf(tx).insert(tag(`of_${title}`))
      if (runs === 1) await other.transact((otherTx) => incrementTitle(otherTx, id!))
    })
    expect([runs, await keys()]).toEqual([2, ['of_1']])
    await close()
  })

  test('waits for share locks', async () => {
    const { one, other, insertTasks, titleOf, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let changed: Promise<number> | undefined
    await other.transact(async (tx) => {
      await tasksOf(tx).getForShare(id!)
      changed = one.transact((ownTx) => incrementTitle(ownTx, id!))
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(await titleOf(id!)).toBe('0')
    })
    await changed
    expect(await titleOf(id!)).toBe('1')
    await close()
  })

  test('passes to the next waiter after an earlier waiter failed, and the failure is immediate', async () => {
    const { one, insertTasks, titleOf, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let next: Promise<number> | undefined
    let runs = 0
    const outside = AsyncLocalStorage.snapshot()
    const failAfterLock = () =>
      one.transact(async (tx) => {
        void Promise.allSettled([tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' })])
        throw new Error('no')
      })
    const incrementNext = () =>
      one.transact((tx) => {
        runs += 1
        return incrementTitle(tx, id!)
      })
    await one.transact(async (tx) => {
      await incrementTitle(tx, id!)
      const failing = outside(failAfterLock)
      next = outside(incrementNext)
      await expect(failing).rejects.toThrow('no')
    })
    expect([await next, runs, await titleOf(id!)]).toEqual([1, 1, '2'])
    await close()
  })

  test('is locked before later lookups of the same work', async () => {
    const { one, insertTasks, close } = await openTwoProcesses()
    const [id, other] = (await insertTasks(task(), task())) as [string, string]
    let titles: Promise<readonly (string | undefined)[]> | undefined
    const outside = AsyncLocalStorage.snapshot()
    const readTitles = () =>
      one.transact(async (tx) => {
        const records = await Promise.all([
          tasksOf(tx).getForUpdate(id, { lock: 'optimistic' }),
          tasksOf(tx).get(other),
        ])
        return records.map((record) => record?.title)
      })
    await one.transact(async (tx) => {
      const [record, otherRecord] = [
        (await tasksOf(tx).getForUpdate(id, { lock: 'optimistic' }))!,
        (await tasksOf(tx).get(other))!,
      ]
      await tasksOf(tx).update({ ...record, title: '1' })
      await tasksOf(tx).update({ ...otherRecord, title: '1' })
      titles = outside(readTitles)
      // Runs on the connection of the other unit's lookup, which would have been answered by now.
      await outside(() => one.read((readTx) => tasksOf(readTx).get(other), { isolation: 'statement' }))
    })
    expect(await titles).toEqual(['1', '1'])
    await close()
  })

  test('starts no transaction for statements of work that ended while it waited', async () => {
    const { one, insertTasks, close } = await openTwoProcesses()
    const [id] = await insertTasks(task())
    let stray: Promise<unknown> | undefined
    const outside = AsyncLocalStorage.snapshot()
    const failWhileReading = () =>
      one.transact(async (tx) => {
        stray = Promise.allSettled([
          tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' }),
          tasksOf(tx).find([]),
        ])
        throw new Error('no')
      })
    await one.transact(async (tx) => {
      await incrementTitle(tx, id!)
      await expect(outside(failWhileReading)).rejects.toThrow('no')
    })
    const ended = { reason: new Error('The transaction is over.') }
    expect(await stray).toMatchObject([ended, ended])
    await close()
  })

  test('loses no change when two processes update two records in opposite orders', async () => {
    const { one, other, insertTasks, titleOf, close } = await openTwoProcesses()
    const [a, b] = (await insertTasks(task(), task())) as [string, string]
    const incrementBoth = (storage: Storage, ids: readonly string[]) =>
      storage.transact(async (tx) => {
        for (const id of ids) await incrementTitle(tx, id)
      })
    await Promise.all([incrementBoth(one, [a, b]), incrementBoth(other, [b, a])])
    expect([await titleOf(a), await titleOf(b)]).toEqual(['2', '2'])
    await close()
  })

  test("shows the work's own insert, and is locked when two records are requested at once", async () => {
    const { one, other, insertTasks, titleOf, close } = await openTwoProcesses()
    const [a, b] = (await insertTasks(task(), task())) as [string, string]
    const inserted = task('inserted')
    const title = await one.transact(async (tx) => {
      await tasksOf(tx).insert(inserted)
      return (await tasksOf(tx).getForUpdate(inserted.id, { lock: 'optimistic' }))?.title
    })
    expect(title).toBe('inserted')
    const incrementAll = (storage: Storage, ids: readonly string[]) =>
      storage.transact(async (tx) => {
        await Promise.all(ids.map((id) => incrementTitle(tx, id)))
      })
    await Promise.all(
      [one, other].flatMap((storage) => [
        incrementAll(storage, [a, b]),
        incrementAll(storage, [a, b]),
        incrementAll(storage, [a]),
      ]),
    )
    expect([await titleOf(a), await titleOf(b)]).toEqual(['6', '4'])
    await close()
  })

  test('arbitrary concurrent units are atomic and never overwrite each other', {
    timeout: 120_000,
  }, async () => {
    const { one, other, insertTasks, titleOf, keys, close } = await openTwoProcesses()
    const unit = fc.record({
      process: fc.nat(1),
      records: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
      lock: fc.constantFrom<LockOptions>({ lock: 'optimistic' }, {}),
      reads: fc.boolean(),
      delayTurns: fc.nat(3),
      ending: fc.constantFrom('commits', 'commits', 'commits', 'throws', 'conflict'),
    })
    await one.transact((tx) => tagsOf(tx).insert(tag('duplicate')))
    let nth = 0
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 2, maxLength: 24 }), async (units) => {
        const ids = await insertTasks(task(), task(), task())
        const results = units.map(async ({ process, records, lock, reads, delayTurns, ending }) => {
          const key = `unit_${nth++}`
          for (let turn = 0; turn < delayTurns; turn += 1)
            await new Promise((resolve) => setImmediate(resolve))
          const numbersBefore = await [one, other]
            [process]!.transact(async (tx) => {
              const before: (readonly [number, number])[] = []
              for (const record of records)
                before.push([record, await incrementTitle(tx, ids[record]!, lock)])
              await tagsOf(tx).insert(tag(key))
              if (reads) await tagsOf(tx).find([{ field: 'key', is: key }])
              if (ending === 'conflict') await tagsOf(tx).insert(tag('duplicate'))
              if (ending === 'throws') throw new Error('no')
              return before
            })
            .catch(() => undefined)
          expect(numbersBefore === undefined).toBe(ending !== 'commits')
          return { key, numbersBefore }
        })
        const committed = (await Promise.all(results)).flatMap(({ key, numbersBefore }) =>
          numbersBefore ? [{ key, numbersBefore }] : [],
        )
        const storedKeys = (await keys()).filter((key) => Number(key.split('_')[1]) >= nth - units.length)
        expect(storedKeys).toEqual(committed.map(({ key }) => key).sort())
        for (const [record, id] of ids.entries()) {
          const numbers = committed.flatMap(({ numbersBefore }) =>
            numbersBefore.filter(([recordIndex]) => recordIndex === record).map(([, number]) => number),
          )
          expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index))
          expect(await titleOf(id)).toBe(String(numbers.length))
        }
      }),
      // The search for a smaller example would take longer than the test may: a deadlock takes a second.
      { numRuns: 15, endOnFailure: true },
    )
    await close()
  })
})
