import type { Storage } from '@sales-crm/core/ports'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { contextOn, type Group } from './case.ts'
import { contextAt, type OpenGate } from './gate-context.ts'
import { GATE_GROUPS, STORAGE_GROUPS } from './groups.ts'

export type { OpenGate } from './gate-context.ts'

/** For each test, and for opening and closing. */
const TIMEOUT_MS = 30_000

/**
 * The behaviour every store owes the core, as tests. `open` is called once; its store is closed at the end. Each test works in
 * a workspace of its own, so the database need not be empty.
 */
export function describeStorage(name: string, open: () => Promise<Storage>): void {
  describe(`${name} storage`, () => {
    let storage: Storage | undefined
    beforeAll(async () => {
      storage = await open()
    }, TIMEOUT_MS)
    afterAll(() => storage?.close(), TIMEOUT_MS)
    testEach(STORAGE_GROUPS, () => contextOn(storage!))
  })
}

/** The behaviour every gate owes the core, as tests. `open` is called once, and closing its storage at the end closes all. */
export function describeGate(name: string, open: () => Promise<OpenGate>): void {
  describe(`${name} gate`, () => {
    let opened: OpenGate | undefined
    beforeAll(async () => {
      opened = await open()
    }, TIMEOUT_MS)
    afterAll(() => opened?.storage.close(), TIMEOUT_MS)
    testEach(GATE_GROUPS, () => contextAt(opened!))
  })
}

function testEach<C>(groups: readonly Group<C>[], context: () => C): void {
  for (const group of groups) {
    describe(group.name, () => {
      for (const { name, run } of group.cases) test(name, () => run(context()), TIMEOUT_MS)
    })
  }
}
