import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildDelivery, POLICY } from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import { addSeconds } from '../../kernel/instant.ts'
import type { Attempt, Delivery } from '../../schema/delivery.ts'
import { applyAttempt } from './retry-policy.ts'

const buildAttempt = (status: number | null, created_at = NOON): Attempt => ({
  created_at,
  duration_ms: 1500,
  status,
  error: status === null ? 'timeout' : null,
  response: null,
})

describe('applyAttempt', () => {
  test.each([200, 201, 204, 299])('marks the delivery as delivered for status %d', (status) => {
    expect(applyAttempt(buildDelivery(), buildAttempt(status), POLICY)).toEqual({
      ...buildDelivery(),
      status: 'delivered',
      attempts: [buildAttempt(status)],
      attempts_count: 1,
      due_at: null,
      sending: false,
      updated_at: '2026-03-01T12:00:01.500Z',
    })
  })

  test.each([199, 300, 301, 308, 400, 404, 410, 429, 500, 503, null])(
    'schedules a retry 15 minutes after the start of an attempt with status %s',
    (status) => {
      expect(applyAttempt(buildDelivery(), buildAttempt(status), POLICY)).toEqual({
        ...buildDelivery(),
        attempts: [buildAttempt(status)],
        attempts_count: 1,
        due_at: '2026-03-01T12:15:00.000Z',
        sending: false,
        updated_at: '2026-03-01T12:00:01.500Z',
      })
    },
  )

  test('drops the delivery after four failures at intervals of 15 minutes', () => {
    const dueTimes: (string | null)[] = []
    let delivery = buildDelivery()
    while (delivery.due_at !== null) {
      dueTimes.push(delivery.due_at)
      delivery = applyAttempt(delivery, buildAttempt(500, delivery.due_at), POLICY)
    }
    expect(dueTimes).toEqual(['12:00', '12:15', '12:30', '12:45'].map((time) => `2026-03-01T${time}:00.000Z`))
    expect(delivery).toMatchObject({
      status: 'dropped',
      reason: 'retries_exhausted',
      attempts_count: 4,
      sending: false,
    })
  })

  test('ends a delivery marked as last_attempt, whatever the outcome', () => {
    const redelivery = buildDelivery({ last_attempt: true, attempts_count: 1 })
    expect(applyAttempt(redelivery, buildAttempt(null), POLICY)).toMatchObject({
      status: 'dropped',
      reason: 'retries_exhausted',
      due_at: null,
    })
    expect(applyAttempt(redelivery, buildAttempt(204), POLICY)).toMatchObject({
      status: 'delivered',
      reason: null,
      due_at: null,
    })
  })

  test('counts all attempts and stores the latest 21, oldest first', () => {
    const attempts = Array.from({ length: 21 }, (_, nth) => buildAttempt(500, addSeconds(NOON, nth)))
    const after = applyAttempt(
      buildDelivery({ attempts, attempts_count: 31, last_attempt: true }),
      buildAttempt(200, addSeconds(NOON, 60)),
      POLICY,
    )
    expect(after.attempts_count).toBe(32)
    expect(after.attempts).toEqual([...attempts.slice(1), buildAttempt(200, addSeconds(NOON, 60))])
  })

  test.each([
    ['first attempt', {}],
    ['last retry', { attempts_count: 3 }],
    ['last_attempt', { attempts_count: 9, last_attempt: true }],
  ])('records an unsigned attempt without counting it: %s', (_, fields) => {
    const unsigned: Attempt = {
      created_at: NOON,
      duration_ms: 0,
      status: null,
      error: 'not_signed',
      response: null,
    }
    const after = applyAttempt(buildDelivery(fields), unsigned, POLICY)
    expect(after).toEqual({
      ...buildDelivery(fields),
      attempts: [unsigned],
      due_at: '2026-03-01T12:15:00.000Z',
      sending: false,
      updated_at: NOON,
    })
    expect(applyAttempt(after, buildAttempt(500), POLICY)).toMatchObject(
      'attempts_count' in fields
        ? { status: 'dropped', reason: 'retries_exhausted' }
        : { status: 'pending', attempts_count: 1 },
    )
  })

  test('drops the delivery after the first failure without retries', () => {
    expect(applyAttempt(buildDelivery(), buildAttempt(500), { ...POLICY, retries: 0 })).toHaveProperty(
      'status',
      'dropped',
    )
  })

  test('replaces null characters and lone surrogates in the stored response', () => {
    const { attempts } = applyAttempt(
      buildDelivery(),
      { ...buildAttempt(500), response: 'a\u0000b\ud800c é 👍' },
      POLICY,
    )
    expect(attempts[0]!.response).toBe('a\ufffdb\ufffdc é 👍')
  })
})

test('a delivery ends within its retries, and is delivered only if the last attempt was a 2xx', () => {
  const outcomes = fc.array(fc.option(fc.integer({ min: 100, max: 599 })), { minLength: 12, maxLength: 12 })
  const durations = fc.integer({ min: 0, max: 9_999 })
  fc.assert(
    fc.property(
      outcomes,
      durations,
      fc.nat(10),
      fc.integer({ min: 1, max: 7200 }),
      (statuses, duration_ms, retries, retrySeconds) => {
        let delivery: Delivery = buildDelivery()
        let attemptCount = 0
        for (const status of statuses) {
          if (delivery.due_at === null) break
          expect(delivery).toMatchObject({
            status: 'pending',
            reason: null,
            due_at: addSeconds(NOON, attemptCount * retrySeconds),
          })
          delivery = applyAttempt(
            delivery,
            { ...buildAttempt(status, delivery.due_at), duration_ms },
            { retries, retrySeconds },
          )
          attemptCount += 1
        }
        const lastStatus = delivery.attempts.at(-1)!.status ?? 0
        expect(attemptCount).toBeLessThanOrEqual(retries + 1)
        expect(delivery).toMatchObject({ due_at: null, attempts_count: attemptCount })
        expect(delivery.status).toBe(lastStatus >= 200 && lastStatus < 300 ? 'delivered' : 'dropped')
      },
    ),
  )
})
