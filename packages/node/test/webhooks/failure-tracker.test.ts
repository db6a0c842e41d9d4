import { describe, expect, test } from 'vitest'
import { trackFailures } from '../../src/webhooks/failure-tracker.ts'

const reported: unknown[] = []
const fail = () => Promise.reject(new Error('gone'))
const succeed = async () => 'done'

describe('the failure tracker', () => {
  test('reports the first failure, and the recovery of all steps', async () => {
    const { run, isFailing } = trackFailures((error) => reported.push(error))
    expect(await Promise.all([run('claim', fail), run('save', fail)])).toEqual([undefined, undefined])
    expect(reported.splice(0)).toEqual([new Error('gone')])
    expect([isFailing(), isFailing('claim'), isFailing('save')]).toEqual([true, true, true])
    expect(await run('claim', succeed)).toBe('done')
    expect([isFailing(), isFailing('claim'), isFailing('save')]).toEqual([true, false, true])
    expect(reported).toEqual([])
    expect(await run('save', succeed)).toBe('done')
    expect(await run('save', succeed)).toBe('done')
    expect(reported.splice(0)).toEqual([undefined])
    expect(isFailing()).toBe(false)
  })

  test('does not report a recovery when a step that never failed completes', async () => {
    const { run, isFailing } = trackFailures((error) => reported.push(error))
    const { promise, resolve } = Promise.withResolvers<void>()
    const saving = run('save', () => promise)
    await run('claim', fail)
    resolve()
    await saving
    expect(isFailing()).toBe(true)
    expect(reported.splice(0)).toEqual([new Error('gone')])
  })
})
