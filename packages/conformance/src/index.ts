import type { Storage } from '@sales-crm/core/ports'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createGateContext, type OpenAccessGate } from './access-gate-context.ts'
import { createContext, type Group } from './case.ts'
import { ACCESS_GATE_GROUPS, STORAGE_GROUPS } from './groups.ts'

export type { OpenAccessGate } from './access-gate-context.ts'

/** Limit for each test, and for opening and closing the store. */
const TIMEOUT_MS = 30_000

/**
 * Declares the tests that every store must pass. `open` is called once, and its store is closed at the end.
 * Each test uses new workspaces, so the database need not be empty.
 */
export function describeStorage(name: string, open: () => Promise<Storage>): void {
  describe(`${name} storage`, () => {
    let storage: Storage | undefined
    beforeAll(async () => {
      storage = await open()
    }, TIMEOUT_MS)
    afterAll(() => storage?.close(), TIMEOUT_MS)
    testGroups(STORAGE_GROUPS, () => createContext(storage!))
  })
}

/** Declares the tests that every gate must pass. `open` is called once; its storage is closed at the end. */
export function describeAccessGate(name: string, open: () => Promise<OpenAccessGate>): void {
  describe(`${name} gate`, () => {
    let gate: OpenAccessGate | undefined
    beforeAll(async () => {
      gate = await open()
    }, TIMEOUT_MS)
    afterAll(() => gate?.storage.close(), TIMEOUT_MS)
    testGroups(ACCESS_GATE_GROUPS, () => createGateContext(gate!))
  })
}

function testGroups<C>(groups: readonly Group<C>[], context: () => C): void {
  for (const group of groups) {
    describe(group.name, () => {
      for (const { name, run } of group.cases) test(name, () => run(context()), TIMEOUT_MS)
    })
  }
}
