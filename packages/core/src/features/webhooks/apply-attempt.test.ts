import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildDelivery, POLICY } from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import { addSeconds } from '../../kernel/instant.ts'
import type { Attempt, Delivery } from '../../schema/delivery.ts'
import { applyAttempt } from './apply-attempt.ts'

const answered = (status: number | null, created_at = NOON): Attempt => ({
  created_at,
  duration_ms: 1500,
  status,
  error: status === null ? 'timeout' : null,
  response: null,
})

describe('a delivery after an attempt', () => {
  test.each([200, 201, 204, 299])('that is answered with %d is delivered', (status) => {
    expect(applyAttempt(buildDelivery(), answered(status), POLICY)).toEqual({
      ...buildDelivery(),
      status: 'delivered',
      attempts: [answered(status)],
      attempts_count: 1,
      due_at: null,
      sending: false,
      updated_at: '2026-03-01T12:00:01.500Z',
    })
  })

  test.each([199, 300, 301, 308, 400, 404, 410, 429, 500, 503, null])(
    'that ends with %s is due a quarter of an hour after the attempt began',
    (status) => {
      expect(applyAttempt(buildDelivery(), answered(status), POLICY)).toEqual({
        ...buildDelivery(),
        attempts: [answered(status)],
        attempts_count: 1,
        due_at: '2026-03-01T12:15:00.000Z',
        sending: false,
        updated_at: '2026-03-01T12:00:01.500Z',
      })
    },
  )

  test('is dropped after the fourth that fails, each a quarter of an hour after the one before', () => {
    const due: (string | null)[] = []
    let delivery = buildDelivery()
    while (delivery.due_at !== null) {
      due.push(delivery.due_at)
      delivery = applyAttempt(delivery, answered(500, delivery.due_at), POLICY)
    }
    expect(due).toEqual(['12:00', '12:15', '12:30', '12:45'].map((time) => `2026-03-01T${time}:00.000Z`))
    expect(delivery).toMatchObject({
      status: 'dropped',
      reason: 'retries_exhausted',
      attempts_count: 4,
      sending: false,
    })
  })

  test('that was the last whatever comes of it is over', () => {
    const again = buildDelivery({ last_attempt: true, attempts_count: 1 })
    expect(applyAttempt(again, answered(null), POLICY)).toMatchObject({
      status: 'dropped',
      reason: 'retries_exhausted',
      due_at: null,
    })
    expect(applyAttempt(again, answered(204), POLICY)).toMatchObject({
      status: 'delivered',
      reason: null,
      due_at: null,
    })
  })

  test('counts all attempts and keeps the latest twenty-one, oldest first', () => {
    const attempts = Array.from({ length: 21 }, (_, nth) => answered(500, addSeconds(NOON, nth)))
    const after = applyAttempt(
      buildDelivery({ attempts, attempts_count: 31, last_attempt: true }),
      answered(200, addSeconds(NOON, 60)),
      POLICY,
    )
    expect(after.attempts_count).toBe(32)
    expect(after.attempts).toEqual([...attempts.slice(1), answered(200, addSeconds(NOON, 60))])
  })

  test.each([
    ['the first', {}],
    ['the last of its retries', { attempts_count: 3 }],
    ['the last whatever comes of it', { attempts_count: 9, last_attempt: true }],
  ])('that could not be signed notes so, and still has the attempt it would have been: %s', (_, before) => {
    const notSigned: Attempt = {
      created_at: NOON,
      duration_ms: 0,
      status: null,
      error: 'not_signed',
      response: null,
    }
    const after = applyAttempt(buildDelivery(before), notSigned, POLICY)
    expect(after).toEqual({
      ...buildDelivery(before),
      attempts: [notSigned],
      due_at: '2026-03-01T12:15:00.000Z',
      sending: false,
      updated_at: NOON,
    })
    expect(applyAttempt(after, answered(500), POLICY)).toMatchObject(
      'attempts_count' in before
        ? { status: 'dropped', reason: 'retries_exhausted' }
        : { status: 'pending', attempts_count: 1 },
    )
  })

  test('that was the only one allowed is over', () => {
    expect(applyAttempt(buildDelivery(), answered(500), { ...POLICY, retries: 0 })).toHaveProperty(
      'status',
      'dropped',
    )
  })

  test('keeps what no database takes out of the start of an answer', () => {
    const { attempts } = applyAttempt(
      buildDelivery(),
      { ...answered(500), response: 'a\u0000b\ud800c é 👍' },
      POLICY,
    )
    expect(attempts[0]!.response).toBe('a\ufffdb\ufffdc é 👍')
  })
})

test('any outcomes end after at most all retries, delivered where the last was a 2xx, at times that grow evenly', () => {
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
        let made = 0
        for (const status of statuses) {
          if (delivery.due_at === null) break
          expect(delivery).toMatchObject({
            status: 'pending',
            reason: null,
            due_at: addSeconds(NOON, made * retrySeconds),
          })
          delivery = applyAttempt(
            delivery,
            { ...answered(status, delivery.due_at), duration_ms },
            { retries, retrySeconds },
          )
          made += 1
        }
        const last = delivery.attempts.at(-1)!.status ?? 0
        expect(made).toBeLessThanOrEqual(retries + 1)
        expect(delivery).toMatchObject({ due_at: null, attempts_count: made })
        expect(delivery.status).toBe(last >= 200 && last < 300 ? 'delivered' : 'dropped')
      },
    ),
  )
})
