import { existsSync, readFileSync } from 'node:fs'
import type { Transaction } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath } from '../harness.ts'

const ID = '0191d2f0-0000-7000-8000-00000000000a'
const NEIGHBOUR = '0191d2f0-0000-7000-8000-00000000000b'
const AT = '2026-03-01T12:00:00.000Z'
const CANARY = 'v1:a-sealed-text-that-nothing-else-holds'

function outgoingMail(sealed: string, id = ID) {
  return {
    id,
    sealed,
    due_at: AT,
    attempts: 0,
    expires_at: '2026-03-01T12:15:00.000Z',
    created_at: AT,
    updated_at: AT,
  }
}

/** Closes the storage afterwards, so that all data is in the main file. */
async function transactAndClose(path: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const storage = await sqliteStorage({ file: path })
  await storage.transact(work)
  await storage.close()
}

function countCanaries(path: string): number {
  expect(existsSync(`${path}-wal`)).toBe(false)
  return readFileSync(path, 'latin1').split(CANARY).length - 1
}

test('a hard delete overwrites the row in the file', async () => {
  const path = createTempPath()
  await transactAndClose(path, ({ queued_mail }) => queued_mail.insert(outgoingMail(CANARY)))
  expect(countCanaries(path)).toBe(1)
  await transactAndClose(path, ({ queued_mail }) => queued_mail.hardDelete(ID))
  expect(countCanaries(path)).toBe(0)
})

test('a hard delete overwrites a value longer than a page', async () => {
  const path = createTempPath()
  await transactAndClose(path, ({ queued_mail }) => queued_mail.insert(outgoingMail(CANARY.repeat(1000))))
  // A copy that spans two pages is split and not counted.
  expect(countCanaries(path)).toBeGreaterThan(900)
  await transactAndClose(path, ({ queued_mail }) => queued_mail.hardDelete(ID))
  expect(countCanaries(path)).toBe(0)
})

test('an update overwrites the replaced value', async () => {
  const path = createTempPath()
  await transactAndClose(path, async ({ queued_mail }) => {
    await queued_mail.insert(outgoingMail(CANARY))
    await queued_mail.insert(outgoingMail('v1:neighbour', NEIGHBOUR))
  })
  expect(countCanaries(path)).toBe(1)
  // Too long for the space of the replaced value.
  await transactAndClose(path, ({ queued_mail }) => queued_mail.update(outgoingMail(`v1:${'x'.repeat(200)}`)))
  expect(countCanaries(path)).toBe(0)
})
