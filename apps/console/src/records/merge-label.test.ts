import { expect, test } from 'vitest'
import { type Label, mergeLabel } from './merge-label.ts'

const label = (id: string): Label => ({ id, name: id.toUpperCase() })

/** The labels of a record, which others change before or after a call. */
function createRecord(ids: readonly string[]) {
  let labels = ids
  const writes: (readonly string[])[] = []
  return {
    writes,
    labels: () => labels,
    set: (next: readonly string[]) => {
      labels = next
    },
    read: async () => labels.map(label),
    write: async (next: readonly string[]) => {
      writes.push(next)
      labels = next
    },
  }
}

test('a label is added to those that are there now, and taken from them', async () => {
  const record = createRecord(['x'])
  expect(await mergeLabel(record, label('a'), true)).toBe(true)
  expect(record.labels()).toEqual(['x', 'a'])
  expect(await mergeLabel(record, label('x'), false)).toBe(true)
  expect(record.labels()).toEqual(['a'])
})

test('nothing is written when it is so already', async () => {
  const record = createRecord(['a'])
  expect(await mergeLabel(record, label('a'), true)).toBe(false)
  expect(await mergeLabel(record, label('b'), false)).toBe(false)
  expect(record.writes).toEqual([])
})

test('a label that somebody else has overwritten at the same time is added again, to theirs', async () => {
  const record = createRecord([])
  const write = async (ids: readonly string[]) => {
    await record.write(ids)
    if (record.writes.length === 1) record.set(['theirs'])
  }
  await mergeLabel({ ...record, write }, label('a'), true)
  expect(record.labels()).toEqual(['theirs', 'a'])
})
