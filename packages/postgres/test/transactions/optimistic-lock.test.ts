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

/** Two processes on one database. */
async function openTwoProcesses() {
  const url = await freshDatabase(server!)
  const [one, other] = [await postgresStorage({ url }), await postgresStorage({ url })]
  const planted = async (...some: readonly ReturnType<typeof task>[]) => {
    await one.transact((tx) => tasksOf(tx).insertMany(some))
    return some.map(({ id }) => id)
  }
  const titleOf = async (id: string) => (await one.read((tx) => tasksOf(tx).get(id)))?.title
  const keys = async () => (await one.read((tx) => tagsOf(tx).find([]))).map(({ key }) => key).sort()
  const close = () => Promise.all([one.close(), other.close()])
  return { one, other, planted, titleOf, keys, close }
}

/** @returns what the record was before */
async function incrementTitle(
  tx: Transaction,
  id: string,
  options: LockOptions = { lock: 'optimistic' },
): Promise<number> {
  const held = (await tasksOf(tx).getForUpdate(id, options))!
  await tasksOf(tx).update({ ...held, title: String(Number(held.title) + 1) }, held)
  return Number(held.title)
}

describe.runIf(server !== null)('a record that is read to be changed', () => {
  test('loses no change, of two processes either, some of which hold it from the start', async () => {
    const { one, other, planted, titleOf, close } = await openTwoProcesses()
    const [id] = await planted(task())
    const hows: LockOptions[] = [{ lock: 'optimistic' }, { lock: 'optimistic' }, {}]
    const adding = (storage: Storage, nth: number) =>
      storage.transact((tx) => incrementTitle(tx, id!, hows[nth % 3]))
    const seen = await Promise.all(
      [one, other].flatMap((storage) => TWENTY.map((nth) => adding(storage, nth))),
    )
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, nth) => nth))
    expect(await titleOf(id!)).toBe('40')
    await close()
  })

  test('has the work run again where another process has changed it meanwhile, and nothing of the first run is kept', async () => {
    const { one, other, planted, titleOf, keys, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let runs = 0
    const found = await one.transact(async (tx) => {
      runs += 1
      const run = runs
      const before = await incrementTitle(tx, id!)
      await tagsOf(tx).insert(tag(`run_${run}`))
      if (run === 1) await other.transact((theirs) => incrementTitle(theirs, id!))
      return before
    })
    expect([found, runs, await titleOf(id!), await keys()]).toEqual([1, 2, '2', ['run_2']])
    await close()
  })

  test('is not there any more for who finds it deleted by then', async () => {
    const { one, other, planted, keys, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let runs = 0
    const found = await one.transact(async (tx) => {
      runs += 1
      const held = await tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' })
      if (!held) return 'gone'
      await tasksOf(tx).update({ ...held, title: '9' }, held)
      await tagsOf(tx).insert(tag('changed'))
      await other.transact((theirs) => tasksOf(theirs).softDelete(id!, AT))
      return 'changed'
    })
    expect([found, runs, await keys()]).toEqual(['gone', 2, []])
    await close()
  })

  test('is what it was for what is only written beside it, too', async () => {
    const { one, other, planted, keys, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let runs = 0
    await one.transact(async (tx) => {
      runs += 1
      const { title } = (await tasksOf(tx).getForUpdate(id!, { lock: 'optimistic' }))!
      await tagsOf(tx).insert(tag(`of_${title}`))
      if (runs === 1) await other.transact((theirs) => incrementTitle(theirs, id!))
    })
    expect([runs, await keys()]).toEqual([2, ['of_1']])
    await close()
  })

  test('waits for those who share it', async () => {
    const { one, other, planted, titleOf, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let changed: Promise<number> | undefined
    await other.transact(async (tx) => {
      await tasksOf(tx).getForShare(id!)
      changed = one.transact((mine) => incrementTitle(mine, id!))
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(await titleOf(id!)).toBe('0')
    })
    await changed
    expect(await titleOf(id!)).toBe('1')
    await close()
  })

  test('comes to the next although one before it has failed waiting, which hears of that at once', async () => {
    const { one, planted, titleOf, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let next: Promise<number> | undefined
    let runs = 0
    await one.transact(async (tx) => {
      await incrementTitle(tx, id!)
      const failing = one.transact(async (theirs) => {
        void Promise.allSettled([tasksOf(theirs).getForUpdate(id!, { lock: 'optimistic' })])
        throw new Error('no')
      })
      next = one.transact((theirs) => {
        runs += 1
        return incrementTitle(theirs, id!)
      })
      await expect(failing).rejects.toThrow('no')
    })
    expect([await next, runs, await titleOf(id!)]).toEqual([1, 1, '2'])
    await close()
  })

  test('comes before all that is looked up after it was asked for', async () => {
    const { one, planted, close } = await openTwoProcesses()
    const [id, other] = (await planted(task(), task())) as [string, string]
    let seen: Promise<readonly (string | undefined)[]> | undefined
    await one.transact(async (tx) => {
      const [held, beside] = [
        (await tasksOf(tx).getForUpdate(id, { lock: 'optimistic' }))!,
        (await tasksOf(tx).get(other))!,
      ]
      await tasksOf(tx).update({ ...held, title: '1' }, held)
      await tasksOf(tx).update({ ...beside, title: '1' }, beside)
      seen = one.transact(async (theirs) => {
        const records = await Promise.all([
          tasksOf(theirs).getForUpdate(id, { lock: 'optimistic' }),
          tasksOf(theirs).get(other),
        ])
        return records.map((record) => record?.title)
      })
      // Over the same connection as what the other looks up: that has been answered by then, had it been
      // asked.
      await one.read((look) => tasksOf(look).get(other), { isolation: 'statement' })
    })
    expect(await seen).toEqual(['1', '1'])
    await close()
  })

  test('begins no transaction for what was asked while it was waited for by work that is over', async () => {
    const { one, planted, close } = await openTwoProcesses()
    const [id] = await planted(task())
    let stray: Promise<unknown> | undefined
    await one.transact(async (tx) => {
      await incrementTitle(tx, id!)
      const failing = one.transact(async (theirs) => {
        stray = Promise.allSettled([
          tasksOf(theirs).getForUpdate(id!, { lock: 'optimistic' }),
          tasksOf(theirs).find([]),
        ])
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
    })
    const over = { reason: new Error('The transaction is over.') }
    expect(await stray).toMatchObject([over, over])
    await close()
  })

  test('is held once more is needed: of two by each of two processes, in opposite order, no change is lost', async () => {
    const { one, other, planted, titleOf, close } = await openTwoProcesses()
    const [a, b] = (await planted(task(), task())) as [string, string]
    const both = (storage: Storage, ids: readonly string[]) =>
      storage.transact(async (tx) => {
        for (const id of ids) await incrementTitle(tx, id)
      })
    await Promise.all([both(one, [a, b]), both(other, [b, a])])
    expect([await titleOf(a), await titleOf(b)]).toEqual(['2', '2'])
    await close()
  })

  test('is seen as the same work has made it, and is held where two are asked for at once', async () => {
    const { one, other, planted, titleOf, close } = await openTwoProcesses()
    const [a, b] = (await planted(task(), task())) as [string, string]
    const made = task('made')
    const seen = await one.transact(async (tx) => {
      await tasksOf(tx).insert(made)
      return (await tasksOf(tx).getForUpdate(made.id, { lock: 'optimistic' }))?.title
    })
    expect(seen).toBe('made')
    const both = (storage: Storage, ids: readonly string[]) =>
      storage.transact(async (tx) => {
        await Promise.all(ids.map((id) => incrementTitle(tx, id)))
      })
    await Promise.all(
      [one, other].flatMap((storage) => [both(storage, [a, b]), both(storage, [a, b]), both(storage, [a])]),
    )
    expect([await titleOf(a), await titleOf(b)]).toEqual(['6', '4'])
    await close()
  })

  test('whatever many units do to few records, each is whole or not at all, and none has overwritten another', async () => {
    const { one, other, planted, titleOf, keys, close } = await openTwoProcesses()
    const unit = fc.record({
      process: fc.nat(1),
      records: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
      how: fc.constantFrom<LockOptions>({ lock: 'optimistic' }, {}),
      looks: fc.boolean(),
      turns: fc.nat(3),
      ending: fc.constantFrom('sound', 'sound', 'sound', 'throws', 'conflict'),
    })
    await one.transact((tx) => tagsOf(tx).insert(tag('taken')))
    let nth = 0
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 2, maxLength: 24 }), async (units) => {
        const ids = await planted(task(), task(), task())
        const done = units.map(async ({ process, records, how, looks, turns, ending }) => {
          const key = `unit_${nth++}`
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
          const seen = await [one, other]
            [process]!.transact(async (tx) => {
              const before: (readonly [number, number])[] = []
              for (const record of records) before.push([record, await incrementTitle(tx, ids[record]!, how)])
              await tagsOf(tx).insert(tag(key))
              if (looks) await tagsOf(tx).find([{ field: 'key', is: key }])
              if (ending === 'conflict') await tagsOf(tx).insert(tag('taken'))
              if (ending === 'throws') throw new Error('no')
              return before
            })
            .catch(() => undefined)
          expect(seen === undefined).toBe(ending !== 'sound')
          return { key, seen }
        })
        const sound = (await Promise.all(done)).flatMap(({ key, seen }) => (seen ? [{ key, seen }] : []))
        const found = (await keys()).filter((key) => Number(key.split('_')[1]) >= nth - units.length)
        expect(found).toEqual(sound.map(({ key }) => key).sort())
        for (const [record, id] of ids.entries()) {
          const numbers = sound.flatMap(({ seen }) =>
            seen.filter(([of]) => of === record).map(([, number]) => number),
          )
          expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, at) => at))
          expect(await titleOf(id)).toBe(String(numbers.length))
        }
      }),
      { numRuns: 15 },
    )
    await close()
  })
})
