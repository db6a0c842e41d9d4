import type { Storage } from '@sales-crm/core/ports'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createGateContext, type OpenAccessGate } from './access-gate-context.ts'
import { createContext, type Group } from './case.ts'
import { durability } from './durability.ts'
import { DurabilityContext, type StoreOpening } from './durability-context.ts'
import { ACCESS_GATE_GROUPS, STORAGE_GROUPS } from './groups.ts'

export type { OpenAccessGate } from './access-gate-context.ts'
export type { StoreOpening } from './durability-context.ts'

/** Limit for each test, and for opening and closing the store. */
const TIMEOUT_MS = 120_000

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

/**
 * Declares the tests of what is there after a store was closed and opened again, and after its process was killed.
 * @param getOpening called once, before the tests
 */
export function describeDurability(
  name: string,
  getOpening: () => StoreOpening | Promise<StoreOpening>,
): void {
  describe(`${name} durability`, () => {
    const contexts: DurabilityContext[] = []
    let opening: StoreOpening | undefined
    beforeAll(async () => {
      opening = await getOpening()
    }, TIMEOUT_MS)
    afterAll(async () => {
      for (const context of contexts) await context.close()
    }, TIMEOUT_MS)
    testGroups([durability], () => {
      const context = new DurabilityContext(opening!)
      contexts.push(context)
      return context
    })
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
