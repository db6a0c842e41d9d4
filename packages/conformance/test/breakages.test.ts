import { readFileSync } from 'node:fs'
import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { createGateContext } from '../src/access-gate-context.ts'
import { createContext } from '../src/case.ts'
import { ACCESS_GATE_GROUPS, STORAGE_GROUPS } from '../src/groups.ts'
import { ACCESS_GATE_BREAKAGES, openAccessGate } from './access-gate-breakages.ts'
import { AGGREGATE_BREAKAGES } from './aggregate-breakages.ts'
import { BACKLOG_BREAKAGES } from './backlog-breakages.ts'
import { findCase } from './breakage.ts'
import { CLAIM_BREAKAGES } from './claim-breakages.ts'
import { deferredStorage } from './deferred-storage.ts'
import { DELIVERY_OUTCOME_BREAKAGES } from './delivery-outcome-breakages.ts'
import { GROUP_LIST_BREAKAGES } from './group-list-breakages.ts'
import { HARD_DELETE_BREAKAGES } from './hard-delete-breakages.ts'
import { KEY_LOCK_BREAKAGES } from './key-lock-breakages.ts'
import { LOGICAL_CONDITION_BREAKAGES } from './logical-condition-breakages.ts'
import { NOTIFICATION_BREAKAGES } from './notification-breakages.ts'
import { OUTBOX_RETENTION_BREAKAGES } from './outbox-retention-breakages.ts'
import { RECORD_BREAKAGES } from './record-breakages.ts'
import { RELAXED_DURABILITY_BREAKAGES } from './relaxed-durability-breakages.ts'
import { REPEATED_READ_BREAKAGES } from './repeated-read-breakages.ts'
import { SAVEPOINT_BREAKAGES } from './savepoint-breakages.ts'
import { SCAN_BREAKAGES } from './scan-breakages.ts'
import { SEARCH_BREAKAGES } from './search-breakages.ts'
import { SEARCH_TERM_BREAKAGES } from './search-term-breakages.ts'
import { TENANCY_BREAKAGES } from './tenancy-breakages.ts'
import { TOTAL_BREAKAGES } from './total-breakages.ts'
import { TRANSACTION_BREAKAGES } from './transaction-breakages.ts'
import { UNIQUENESS_BREAKAGES } from './uniqueness-breakages.ts'
import { VALUE_CONDITION_BREAKAGES } from './value-condition-breakages.ts'
import { WORKSPACE_SIZE_BREAKAGES } from './workspace-size-breakages.ts'

const STORAGE_BREAKAGES = [
  ...RECORD_BREAKAGES,
  ...HARD_DELETE_BREAKAGES,
  ...UNIQUENESS_BREAKAGES,
  ...SEARCH_BREAKAGES,
  ...TOTAL_BREAKAGES,
  ...WORKSPACE_SIZE_BREAKAGES,
  ...SEARCH_TERM_BREAKAGES,
  ...LOGICAL_CONDITION_BREAKAGES,
  ...VALUE_CONDITION_BREAKAGES,
  ...KEY_LOCK_BREAKAGES,
  ...AGGREGATE_BREAKAGES,
  ...GROUP_LIST_BREAKAGES,
  ...SCAN_BREAKAGES,
  ...TENANCY_BREAKAGES,
  ...TRANSACTION_BREAKAGES,
  ...REPEATED_READ_BREAKAGES,
  ...SAVEPOINT_BREAKAGES,
  ...CLAIM_BREAKAGES,
  ...DELIVERY_OUTCOME_BREAKAGES,
  ...OUTBOX_RETENTION_BREAKAGES,
  ...BACKLOG_BREAKAGES,
  ...NOTIFICATION_BREAKAGES,
  ...RELAXED_DURABILITY_BREAKAGES,
]

describe('a broken store', () => {
  test.each(STORAGE_BREAKAGES)('fails when $breakage ($guarantee)', async ({ noticedBy, open }) => {
    const { run } = findCase(STORAGE_GROUPS, noticedBy)
    await run(createContext(memoryStorage()))
    await expect(run(createContext(open()))).rejects.toThrow()
  })
})

describe('a broken access gate', () => {
  test.each(ACCESS_GATE_BREAKAGES)('fails when $breakage ($guarantee)', async ({ noticedBy, open }) => {
    const { run } = findCase(ACCESS_GATE_GROUPS, noticedBy)
    await run(createGateContext(openAccessGate()))
    await expect(run(createGateContext(open()))).rejects.toThrow()
  })
})

describe('the deferred storage', () => {
  test.each(STORAGE_GROUPS)('passes the group $name', async ({ cases }) => {
    const storage = deferredStorage()
    for (const { name, run } of cases)
      await expect(run(createContext(storage)), name).resolves.toBeUndefined()
  })
})

test('the README lists every breakage', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...STORAGE_BREAKAGES, ...ACCESS_GATE_BREAKAGES].map(
    (each) => `| ${each.guarantee} | ${each.breakage} | ${each.noticedBy} |`,
  )
  expect(readme.split('\n').filter((line) => rows.includes(line))).toEqual(rows)
})
