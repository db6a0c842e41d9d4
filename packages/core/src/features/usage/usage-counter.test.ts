import { expect, test } from 'vitest'
import { NOON } from '../../../test/harness.ts'
import { usageCounter } from './usage-counter.ts'

const ann = { workspaceId: 'w', clientId: 'a' }
const ben = { workspaceId: 'w', clientId: 'b' }

test('bounds its memory: beyond the maximum, further periods are not counted', () => {
  const counted = usageCounter(1)
  counted.count(ann, NOON, 'GET')
  counted.count(ben, NOON, 'GET')
  counted.add(ben, NOON, { GET: 1, POST: 1, PATCH: 1, DELETE: 1 })
  counted.count(ann, '2026-03-01T12:59:59.999Z', 'PATCH')
  expect(counted.drain()).toMatchObject([
    { client_id: 'a', requests: { GET: 1, POST: 0, PATCH: 1, DELETE: 0 } },
  ])
  counted.count(ben, NOON, 'GET')
  expect(counted.drain()).toMatchObject([{ client_id: 'b', requests: { GET: 1 } }])
  expect(counted.drain()).toEqual([])
})

test('returns counts in the order of their periods', () => {
  const counted = usageCounter(10)
  for (const [caller, at] of [
    [ben, NOON],
    [ann, '2026-03-01T13:00:00.000Z'],
    [ann, NOON],
  ] as const)
    counted.count(caller, at, 'GET')
  expect(counted.drain().map(({ period }) => period)).toEqual([
    'w a 2026-03-01T12',
    'w a 2026-03-01T13',
    'w b 2026-03-01T12',
  ])
})
