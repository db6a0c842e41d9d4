import { afterEach, expect, test, vi } from 'vitest'
import { deleteDrafts, draftKey, readDraft, writeDraft } from './draft-storage.ts'

/** The storage of a tab: a record with methods, as browsers have it. */
function createStorage(): Storage {
  const values: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => values[key] ?? null,
    setItem(key: string, value: string) {
      values[key] = value
    },
    removeItem(key: string) {
      delete values[key]
    },
  }
  return new Proxy(values, {
    get: (target, name) => Reflect.get(methods, name) ?? Reflect.get(target, name),
  }) as unknown as Storage
}

afterEach(() => vi.unstubAllGlobals())

test('a draft is found by its member, its workspace and its place alone', () => {
  vi.stubGlobal('sessionStorage', createStorage())
  writeDraft(draftKey('ana', 'acme', 'deals'), { name: 'A' })
  expect(readDraft(draftKey('ana', 'acme', 'deals'))).toEqual({ name: 'A' })
  expect(readDraft(draftKey('bruno', 'acme', 'deals'))).toBeUndefined()
  expect(readDraft(draftKey('ana', 'other', 'deals'))).toBeUndefined()
  expect(readDraft(draftKey('ana', 'acme', 'tasks'))).toBeUndefined()
})

test('drafts are forgotten, those of one member are kept, and other values stay', () => {
  vi.stubGlobal('sessionStorage', createStorage())
  const [own, other] = [draftKey('ana', 'acme', 'deals'), draftKey('bruno', 'acme', 'deals')]
  for (const key of [own, other, 'console.return-path']) writeDraft(key, 'x')
  deleteDrafts('ana')
  expect([own, other].map(readDraft)).toEqual(['x', undefined])
  deleteDrafts()
  expect([readDraft(own), readDraft('console.return-path')]).toEqual([undefined, 'x'])
})
