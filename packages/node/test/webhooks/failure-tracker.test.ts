import { expect, test } from 'vitest'
import { trackFailures } from '../../src/webhooks/failure-reason.ts'

const reported: unknown[] = []
const fails = () => Promise.reject(new Error('gone'))
const works = async () => 'done'

test('of work that fails at the same time the first is told, and the end of all of it', async () => {
  const { run, isFailing } = trackFailures((error) => reported.push(error))
  expect(await Promise.all([run('claim', fails), run('settle', fails)])).toEqual([undefined, undefined])
  expect(reported.splice(0)).toEqual([new Error('gone')])
  expect([isFailing(), isFailing('claim'), isFailing('settle')]).toEqual([true, true, true])
  expect(await run('claim', works)).toBe('done')
  expect([isFailing(), isFailing('claim'), isFailing('settle')]).toEqual([true, false, true])
  expect(reported).toEqual([])
  expect(await run('settle', works)).toBe('done')
  expect(await run('settle', works)).toBe('done')
  expect(reported.splice(0)).toEqual([undefined])
  expect(isFailing()).toBe(false)
})

test('work that was begun before a failure and is done after it ends no other one', async () => {
  const { run, isFailing } = trackFailures((error) => reported.push(error))
  const { promise, resolve } = Promise.withResolvers<void>()
  const settling = run('settle', () => promise)
  await run('claim', fails)
  resolve()
  await settling
  expect(isFailing()).toBe(true)
  expect(reported.splice(0)).toEqual([new Error('gone')])
})
