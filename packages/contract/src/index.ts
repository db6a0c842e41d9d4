import type { Storage } from '@sales-crm/core/ports'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { contextOn, type Group } from './case.ts'
import { contextAt, type OpenGate } from './gate-context.ts'
import { GATE_GROUPS, STORAGE_GROUPS } from './groups.ts'

export type { OpenGate } from './gate-context.ts'

/**
 * The behaviour every store owes the core, as tests. `open` is called once; its store is closed at the end. Each test works in
 * a workspace of its own, so the database need not be empty.
 */
export function describeStorage(name: string, open: () => Promise<Storage>): void {
  describe(`${name} storage`, () => {
    let storage: Storage
    beforeAll(async () => {
      storage = await open()
    })
    afterAll(() => storage.close())
    testEach(STORAGE_GROUPS, () => contextOn(storage))
  })
}

/** The behaviour every gate owes the core, as tests. `open` is called once, and closing its storage at the end closes all. */
export function describeGate(name: string, open: () => Promise<OpenGate>): void {
  describe(`${name} gate`, () => {
    let opened: OpenGate
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.storage.close())
    testEach(GATE_GROUPS, () => contextAt(opened))
  })
}

function testEach<C>(groups: readonly Group<C>[], context: () => C): void {
  for (const group of groups) {
    describe(group.name, () => {
      for (const { name, run } of group.cases) test(name, () => run(context()))
    })
  }
}
