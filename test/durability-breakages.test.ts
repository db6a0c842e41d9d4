import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { durability } from '../packages/conformance/src/durability.ts'
import { DurabilityContext } from '../packages/conformance/src/durability-context.ts'
import { type Breakage, findCase } from '../packages/conformance/test/breakage.ts'
import type * as forgetfulStores from './forgetful-stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'durability-breakages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const RECORDS = 'durability: keeps the records of people: live, changed, deleted and removed'

const BREAKAGES: readonly Breakage<keyof typeof forgetfulStores>[] = [
  {
    guarantee: 'A committed record is stored',
    breakage: 'the records are only in memory',
    noticedBy: RECORDS,
    open: () => 'forgetEverything',
  },
  {
    guarantee: 'A deletion is stored',
    breakage: 'deleted records are live when the store is opened again',
    noticedBy: RECORDS,
    open: () => 'restoreDeleted',
  },
  {
    guarantee: 'Unique values are stored',
    breakage: 'unique values are only in memory',
    noticedBy: 'durability: a value that was unique before is unique after',
    open: () => 'forgetUniqueValues',
  },
  {
    guarantee: 'The size of a workspace is that of its records',
    breakage: 'the size is counted from when the store was opened',
    noticedBy: 'durability: totals, terms and the size of the workspace are those of the records',
    open: () => 'measureFromZero',
  },
  {
    guarantee: 'A failed transaction leaves nothing',
    breakage: 'writes of a failed transaction are found when the store is opened again',
    noticedBy: 'durability: nothing is left of a transaction that failed, nor of a savepoint',
    open: () => 'keepFailedWrites',
  },
  {
    guarantee: 'A lease is stored',
    breakage: 'leases are only in memory',
    noticedBy: 'durability: a claimed delivery is claimed again when its lease is over',
    open: () => 'forgetLeases',
  },
  {
    guarantee: 'A commit is stored when `transact` resolves',
    breakage: 'the file is written when the store is closed',
    noticedBy: 'durability: what a killed process has committed is there, and no transaction in part',
    open: () => 'commitAtClose',
  },
  {
    guarantee: 'A commit is stored as a whole, or not at all',
    breakage: 'the rows of a transaction are committed one by one',
    noticedBy: 'durability: what a killed process has committed is there, and no transaction in part',
    open: () => 'commitByRow',
  },
]

test.each(BREAKAGES)('a store fails when $breakage ($guarantee)', async ({ noticedBy, open }) => {
  const context = new DurabilityContext({
    module: new URL('./forgetful-stores.ts', import.meta.url).href,
    exportName: open(),
    args: [join(folder, `${open()}.db`)],
  })
  await expect(findCase([durability], noticedBy).run(context)).rejects.toMatchObject({
    name: 'AssertionError',
  })
  await context.close()
})

test('the README of the suite lists every breakage', () => {
  const readme = readFileSync(new URL('../packages/conformance/README.md', import.meta.url), 'utf8')
  const rows = BREAKAGES.map((each) => `| ${each.guarantee} | ${each.breakage} | ${each.noticedBy} |`)
  expect(readme.split('\n').filter((line) => rows.includes(line))).toEqual(rows)
})
