import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../memory/index.ts'
import type { Storage, Transaction, WorkspaceStores } from '../ports/storage.ts'
import { whereFacet } from '../schema/facets.ts'
import { BufferedTransaction } from './buffered-transaction.ts'

const WORKSPACE = '00000000-0000-7000-8000-00000000000a'
const AT = '2026-03-01T12:00:00.000Z'

function idOf(kind: number, index: number): string {
  return `00000000-0000-7000-8000-${String(kind)}${String(index).padStart(11, '0')}`
}

function companyOf(index: number, terms = '') {
  const id = idOf(1, index)
  return { id, created_at: AT, updated_at: AT, entity_id: `C-${index}`, search_terms: terms } as never
}

function personOf(index: number, company: number | null, terms = '') {
  const company_id = company === null ? null : idOf(1, company)
  const id = idOf(2, index)
  return {
    id,
    created_at: AT,
    updated_at: AT,
    entity_id: `P-${index}`,
    company_id,
    search_terms: terms,
  } as never
}

function tagOf(index: number) {
  return { id: idOf(3, index), created_at: AT, updated_at: AT, key: `t${index}`, name: `T${index}` } as never
}

/** Runs work in a buffered transaction, and counts the calls that reach the storage. */
async function runBuffered<T>(
  storage: Storage,
  work: (stores: WorkspaceStores, buffered: BufferedTransaction) => Promise<T>,
) {
  const calls: string[] = []
  const result = await storage.transact(async (tx) => {
    const buffered = new BufferedTransaction(recordCalls(tx, calls), WORKSPACE)
    const value = await work(buffered.tx.workspace(WORKSPACE), buffered)
    await buffered.flush()
    return value
  })
  return { result, calls }
}

function recordCalls(tx: Transaction, calls: string[]): Transaction {
  const workspace = (id: string) =>
    Object.fromEntries(
      Object.entries(tx.workspace(id)).map(([name, store]) => [
        name,
        Object.fromEntries(
          Object.entries(store as unknown as Record<string, (...args: unknown[]) => unknown>).map(
            ([verb, call]) => [
              verb,
              (...args: unknown[]) => {
                calls.push(`${name}.${verb}`)
                return call(...args)
              },
            ],
          ),
        ),
      ]),
    )
  return { ...tx, workspace } as unknown as Transaction
}

test('inserts the records of a kind by one call, those that others name first', async () => {
  const { calls } = await runBuffered(memoryStorage(), async ({ people, companies }) => {
    await people.insert(personOf(1, null))
    await companies.insert(companyOf(1))
    await people.insert(personOf(2, 1))
    await companies.insert(companyOf(2))
    expect(await people.get(idOf(2, 2))).toEqual(personOf(2, 1))
    expect(await companies.getMany([idOf(1, 2), idOf(1, 1)])).toHaveLength(2)
  })
  expect(calls).toEqual(['companies.insertMany', 'people.insertMany'])
})

test('looks once for facets that no record has, and finds them in new records', async () => {
  const storage = memoryStorage()
  await runBuffered(storage, ({ people }) => people.insert(personOf(1, null, 'ana _email_a')))
  const { calls } = await runBuffered(storage, async ({ people }, buffered) => {
    const find = async (facet: string) => (await people.find([whereFacet(facet)])).map(({ id }) => id)
    await buffered.lookUpFacets('people', ['_email_a', '_email_b', '_email_c'])
    expect(await find('_email_b')).toEqual([])
    await people.insert(personOf(2, null, 'bob _email_b'))
    expect(await find('_email_b')).toEqual([idOf(2, 2)])
    expect(await find('_email_c')).toEqual([])
    expect(await find('_email_a')).toEqual([idOf(2, 1)])
    expect(await find('_email_b')).toEqual([idOf(2, 2)])
  })
  expect(calls).toEqual(['people.countByTerm', 'people.insertMany', 'people.find', 'people.find'])
})

test('finds a facet that an update gave to a stored record after the look-up', async () => {
  const storage = memoryStorage()
  await runBuffered(storage, ({ people }) => people.insert(personOf(1, null, 'ana')))
  await runBuffered(storage, async ({ people }, buffered) => {
    await buffered.lookUpFacets('people', ['_email_a'])
    await people.update(personOf(1, null, 'ana _email_a'))
    expect((await people.find([whereFacet('_email_a')])).map(({ id }) => id)).toEqual([idOf(2, 1)])
  })
})

test('reads settings again only after they were written', async () => {
  const { calls } = await runBuffered(memoryStorage(), async ({ tags }) => {
    for (let count = 0; count < 3; count += 1) expect(await tags.find([])).toEqual([])
    await tags.insert(tagOf(1))
    for (let count = 0; count < 3; count += 1) expect(await tags.find([])).toEqual([tagOf(1)])
  })
  expect(calls).toEqual(['tags.find', 'tags.insert', 'tags.find'])
})

test('a unique value that is taken is found by the flush, and nothing is written', async () => {
  const storage = memoryStorage()
  await runBuffered(storage, ({ companies }) => companies.insert(companyOf(1)))
  const taken = { ...(companyOf(2) as object), entity_id: 'C-1' } as never
  const failed = runBuffered(storage, async ({ companies }) => {
    await companies.insert(companyOf(3))
    await companies.insert(taken)
  })
  await expect(failed).rejects.toMatchObject({ code: 'conflict', fields: { entity_id: expect.anything() } })
  const left = await storage.read((tx) => tx.workspace(WORKSPACE).companies.find([]))
  expect(left).toEqual([companyOf(1)])
})

type Operation =
  | {
      readonly do: 'insert company' | 'delete company' | 'get' | 'find' | 'touch' | 'tag'
      readonly index: number
    }
  | { readonly do: 'insert person'; readonly index: number; readonly company: number }
  | { readonly do: 'look up' }
  | { readonly do: 'savepoint'; readonly fails: boolean; readonly within: readonly Operation[] }

const index = fc.nat(2)
const simple: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constantFrom('insert company', 'delete company', 'get', 'find', 'touch', 'tag'),
    index,
  }),
  fc.record({ do: fc.constant('insert person' as const), index, company: index }),
  fc.constant({ do: 'look up' as const }),
)
const operations = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: simple },
    fc.record({
      do: fc.constant('savepoint' as const),
      fails: fc.boolean(),
      within: fc.array(simple, { maxLength: 5 }),
    }),
  ),
  { maxLength: 25 },
)

/** Applies an operation that the records so far allow, and returns what it reads. */
async function apply(
  operation: Operation,
  tx: Transaction,
  buffered: BufferedTransaction | undefined,
): Promise<unknown> {
  const { companies, people, tags } = tx.workspace(WORKSPACE)
  switch (operation.do) {
    case 'insert company': {
      if (await companies.get(idOf(1, operation.index))) return 'there'
      // Its id and its code stay taken once it is deleted.
      const id = idOf(1, operation.index)
      const [deleted] = await companies.scan({ state: 'deleted', after: null, limit: 100 })
      if (deleted) return 'some were deleted'
      return companies.insert({
        ...(companyOf(operation.index, `_f_${operation.index % 3}`) as object),
        id,
      } as never)
    }
    case 'insert person':
      if (await people.get(idOf(2, operation.index))) return 'there'
      if (!(await companies.get(idOf(1, operation.company)))) return 'no company'
      return people.insert(personOf(operation.index, operation.company, `_f_${operation.index % 3}`))
    case 'delete company':
      return companies.softDelete(idOf(1, operation.index), AT)
    case 'touch': {
      const found = await people.getForUpdate(idOf(2, operation.index))
      return found && people.update({ ...found, search_terms: '_f_2' })
    }
    case 'get':
      return [await companies.get(idOf(1, operation.index)), await people.getMany([idOf(2, operation.index)])]
    case 'find':
      return [
        await people.find([whereFacet(`_f_${operation.index}`)]),
        await companies.has([whereFacet(`_f_${operation.index}`)]),
        await people.find([{ field: 'company_id', is: idOf(1, operation.index) }]),
        await tags.find([]),
      ]
    case 'tag':
      return (await tags.get(idOf(3, operation.index))) ? 'there' : tags.insert(tagOf(operation.index))
    case 'look up':
      return void (await buffered?.lookUpFacets('people', ['_f_0', '_f_1', '_f_2', '_f_3']))
    case 'savepoint':
      return tx
        .savepoint(async () => {
          const results = []
          for (const each of operation.within) results.push(await apply(each, tx, buffered))
          if (operation.fails) throw new Error('failed')
          return results
        })
        .catch((error: Error) => error.message)
  }
}

test('any work reads and leaves the same as in a transaction without a buffer', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (steps) => {
      const run = async (isBuffered: boolean) => {
        const storage = memoryStorage()
        const read = await storage.transact(async (inner) => {
          const buffered = isBuffered ? new BufferedTransaction(inner, WORKSPACE) : undefined
          const results: unknown[] = []
          for (const step of steps) results.push(await apply(step, buffered?.tx ?? inner, buffered))
          await buffered?.flush()
          return results
        })
        const left = await storage.read(async (tx) => {
          const { companies, people, tags } = tx.workspace(WORKSPACE)
          return [await companies.find([]), await people.find([]), await tags.find([])]
        })
        return { read, left }
      }
      expect(await run(true)).toEqual(await run(false))
    }),
    { numRuns: 300 },
  )
})
