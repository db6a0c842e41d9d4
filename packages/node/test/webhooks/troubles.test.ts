import { expect, test } from 'vitest'
import { troubles } from '../../src/webhooks/troubles.ts'

const told: unknown[] = []
const fails = () => Promise.reject(new Error('gone'))
const works = async () => 'done'

test('of work that fails at the same time the first is told, and the end of all of it', async () => {
  const { tried, isFailing } = troubles((error) => told.push(error))
  expect(await Promise.all([tried('claim', fails), tried('settle', fails)])).toEqual([undefined, undefined])
  expect(told.splice(0)).toEqual([new Error('gone')])
  expect([isFailing(), isFailing('claim'), isFailing('settle')]).toEqual([true, true, true])
  expect(await tried('claim', works)).toBe('done')
  expect([isFailing(), isFailing('claim'), isFailing('settle')]).toEqual([true, false, true])
  expect(told).toEqual([])
  expect(await tried('settle', works)).toBe('done')
  expect(await tried('settle', works)).toBe('done')
  expect(told.splice(0)).toEqual([undefined])
  expect(isFailing()).toBe(false)
})

test('work that was begun before a failure and is done after it ends no other one', async () => {
  const { tried, isFailing } = troubles((error) => told.push(error))
  const { promise, resolve } = Promise.withResolvers<void>()
  const settling = tried('settle', () => promise)
  await tried('claim', fails)
  resolve()
  await settling
  expect(isFailing()).toBe(true)
  expect(told.splice(0)).toEqual([new Error('gone')])
})
