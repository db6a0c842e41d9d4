import { readFileSync } from 'node:fs'
import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { contextOn } from '../src/case.ts'
import { contextAt } from '../src/gate-context.ts'
import { GATE_GROUPS, STORAGE_GROUPS } from '../src/groups.ts'
import { ATTEMPT_BREAKAGES } from './attempt-breakages.ts'
import { BACKLOG_BREAKAGES } from './backlog-breakages.ts'
import { caseNamed } from './breakage.ts'
import { CLAIM_BREAKAGES } from './claim-breakages.ts'
import { ERASE_BREAKAGES } from './erase-breakages.ts'
import { FORGET_BREAKAGES } from './forget-breakages.ts'
import { GATE_BREAKAGES, openGate } from './gate-breakages.ts'
import { lateStorage } from './late-storage.ts'
import { NOTE_BREAKAGES } from './note-breakages.ts'
import { RECORD_BREAKAGES } from './record-breakages.ts'
import { REREAD_BREAKAGES } from './reread-breakages.ts'
import { SEARCH_BREAKAGES } from './search-breakages.ts'
import { SUMMARY_BREAKAGES } from './summary-breakages.ts'
import { TENANCY_BREAKAGES } from './tenancy-breakages.ts'
import { TOTAL_BREAKAGES } from './total-breakages.ts'
import { TRANSACTION_BREAKAGES } from './transaction-breakages.ts'
import { UNIQUENESS_BREAKAGES } from './uniqueness-breakages.ts'
import { UNSYNCED_BREAKAGES } from './unsynced-breakages.ts'
import { WAKE_BREAKAGES } from './wake-breakages.ts'
import { WORD_BREAKAGES } from './word-breakages.ts'

const STORAGE_BREAKAGES = [
  ...RECORD_BREAKAGES,
  ...ERASE_BREAKAGES,
  ...UNIQUENESS_BREAKAGES,
  ...SEARCH_BREAKAGES,
  ...TOTAL_BREAKAGES,
  ...WORD_BREAKAGES,
  ...SUMMARY_BREAKAGES,
  ...TENANCY_BREAKAGES,
  ...TRANSACTION_BREAKAGES,
  ...REREAD_BREAKAGES,
  ...ATTEMPT_BREAKAGES,
  ...CLAIM_BREAKAGES,
  ...NOTE_BREAKAGES,
  ...FORGET_BREAKAGES,
  ...BACKLOG_BREAKAGES,
  ...WAKE_BREAKAGES,
  ...UNSYNCED_BREAKAGES,
]

describe('a store is found out when', () => {
  test.each(STORAGE_BREAKAGES)('$breakage ($guarantee)', async ({ noticedBy, open }) => {
    const { run } = caseNamed(STORAGE_GROUPS, noticedBy)
    await run(contextOn(memoryStorage()))
    await expect(run(contextOn(open()))).rejects.toThrow()
  })
})

describe('a gate is found out when', () => {
  test.each(GATE_BREAKAGES)('$breakage ($guarantee)', async ({ noticedBy, open }) => {
    const { run } = caseNamed(GATE_GROUPS, noticedBy)
    await run(contextAt(openGate()))
    await expect(run(contextAt(open()))).rejects.toThrow()
  })
})

describe('a store whose transactions run side by side and send their writes with the commit is as good', () => {
  test.each(STORAGE_GROUPS)('$name', async ({ cases }) => {
    const storage = lateStorage()
    for (const { name, run } of cases) await expect(run(contextOn(storage)), name).resolves.toBeUndefined()
  })
})

test('the README lists every breakage', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...STORAGE_BREAKAGES, ...GATE_BREAKAGES].map((each) => `| ${each.guarantee} | ${each.breakage} | ${each.noticedBy} |`)
  expect(readme.split('\n').filter((line) => rows.includes(line))).toEqual(rows)
})
