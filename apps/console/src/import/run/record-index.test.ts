import type { RecordList } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { foldName } from '../fold-name.ts'
import { Pace } from './pace.ts'
import { RecordIndex, type RecordSource } from './record-index.ts'

interface Found {
  readonly id: string
  readonly full_name: string
  readonly emails: readonly { readonly email: string }[]
}

/** Lists of names in pages of 100, which also find by the beginning of a word. */
function createSource(names: readonly string[]) {
  const queries: string[] = []
  const list: RecordSource['list'] = ({ search, per_page = 100 }) => {
    queries.push(search ?? `first ${per_page}`)
    const found = names
      .map((full_name, index): Found => ({ id: `c${index}`, full_name, emails: [] }))
      .filter(({ full_name }) => search === undefined || foldName(full_name).includes(search))
    const meta = { total: found.length, page: 1, per_page, has_more: false }
    return Object.assign(Promise.resolve({ data: found.slice(0, per_page), meta }), {
      async *pages() {
        for (let at = 0; at < found.length; at += 100) yield { data: found.slice(at, at + 100), meta }
      },
    }) as unknown as RecordList<Found>
  }
  return { queries, source: { list, keysOf: ({ full_name }: Found) => [foldName(full_name)] } }
}

const pace = new Pace(1000, 1000, { now: () => 0, wait: async () => {} })
const NAMES = Array.from({ length: 250 }, (_, index) => `Company ${index}`)

test('reads all records if they have fewer pages than there are keys', async () => {
  const { queries, source } = createSource(NAMES)
  const index = new RecordIndex(source, pace)
  const steps: (readonly [number, number])[] = []
  await index.lookFor(['company 7', 'company 249', 'other', 'another'], (...step) => steps.push(step))
  expect(queries).toEqual(['first 1', 'first 100'])
  expect(steps).toEqual([
    [100, 250],
    [200, 250],
    [250, 250],
  ])
  expect([index.idOf('company 7'), index.idOf('company 249'), index.idOf('other')]).toEqual([
    'c7',
    'c249',
    undefined,
  ])
  expect(index.hasLookedFor(['anything'])).toBe(true)
})

test('searches for each key that it does not know yet', async () => {
  const { queries, source } = createSource(NAMES)
  const index = new RecordIndex(source, pace)
  await index.lookFor(['company 12', 'other'])
  await index.lookFor(['company 12', 'other', 'company 13'])
  expect(queries).toEqual(['first 1', 'company 12', 'other', 'first 1', 'company 13'])
  expect(index.idOf('company 12')).toBe('c12')
  expect(index.hasLookedFor(['other', 'company 13'])).toBe(true)
  expect(index.hasLookedFor(['unknown'])).toBe(false)
})

test('keeps the oldest record of a key', async () => {
  const { source } = createSource(['Pampa', 'PAMPA'])
  const index = new RecordIndex(source, pace)
  await index.lookFor(['pampa'])
  expect(index.idOf('pampa')).toBe('c0')
})
