import { RetryLaterError } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { OfferPrinter } from '../../src/offers/offer-printer.ts'
import { OFFER } from './sample-offer.ts'

const ECHO = new URL('./stubborn-thread.ts', import.meta.url)

test('a document is made in a thread', async () => {
  const bytes = await new OfferPrinter().print(OFFER)
  expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
})

test('one that takes too long ends, and the next one is made', async () => {
  const printer = new OfferPrinter({ url: ECHO, timeLimitMs: 2000 })
  const [slow, next] = await Promise.allSettled([
    printer.print({ ...OFFER, title: 'endless' }),
    printer.print(OFFER),
  ])
  expect([slow.status, next.status]).toEqual(['rejected', 'fulfilled'])
})

test('few may wait', async () => {
  const printer = new OfferPrinter({ url: ECHO, timeLimitMs: 60_000 })
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => printer.print(OFFER)))
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(reasons).toHaveLength(10)
  expect(reasons[0]).toBeInstanceOf(RetryLaterError)
  await printer.print(OFFER)
})
