import { expect, test } from 'vitest'
import { TokenBucket } from '../../src/http/limits/token-bucket.ts'

function openBucket() {
  const clock = { now: 0, rate: 0.5 }
  const bucket = new TokenBucket({
    ...{ capacity: 100, minTokens: -1000 },
    ...{ rate: () => clock.rate, now: () => clock.now },
  })
  return { bucket, clock }
}

test('a bucket is overdrawn until it has gained what was taken beyond its content', () => {
  const { bucket, clock } = openBucket()
  bucket.take(100)
  expect(bucket.fill()).toBe(0)
  bucket.take(10)
  expect(bucket.fill()).toBe(20)
  clock.now = 19
  expect(bucket.fill()).toBe(1)
  clock.now = 20
  expect(bucket.fill()).toBe(0)
})

test('it holds no more than its capacity, and is overdrawn by no more than its least', () => {
  const { bucket, clock } = openBucket()
  clock.now = 1_000_000
  expect(bucket.fill()).toBe(0)
  bucket.take(101)
  expect(bucket.fill()).toBe(2)
  bucket.take(1_000_000)
  expect(bucket.fill()).toBe(2000)
})

test('a call gains tokens while it runs', () => {
  const { bucket, clock } = openBucket()
  clock.now = 100
  bucket.take(200)
  expect(bucket.fill()).toBe(100)
})
