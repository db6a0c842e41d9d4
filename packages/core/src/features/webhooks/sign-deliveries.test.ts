import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPendingDelivery, expectedBody } from '../../../test/delivery-harness.ts'
import { NOON, secrets } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

describe('signing', () => {
  test('happens after the transaction ends', async () => {
    const memory = memoryStorage()
    let openTransactions = 0
    const transact: Storage['transact'] = async (work) => {
      openTransactions += 1
      try {
        return await memory.transact(work)
      } finally {
        openTransactions -= 1
      }
    }
    const transactionsAtSigning: number[] = []
    const sign: typeof secrets.sign = (text, key) => {
      transactionsAtSigning.push(openTransactions)
      return secrets.sign(text, key)
    }
    const { claim } = await createPendingDelivery({
      storage: { ...memory, transact },
      secrets: { ...secrets, sign },
    })
    expect(await claim()).toHaveLength(1)
    expect(transactionsAtSigning).toEqual([0])
  })
})

describe('a secret', () => {
  /** Returns ports that record each opened secret. */
  function recordOpens() {
    const opened: string[] = []
    const open: typeof secrets.open = (sealSecret, context) => {
      if (context.startsWith('secret of webhook')) opened.push(context)
      return secrets.open(sealSecret, context)
    }
    return { opened, overrides: { secrets: { ...secrets, open } } }
  }

  test('is opened once until it changes', async () => {
    const { opened, overrides } = recordOpens()
    const { claim, insertDelivery, webhook, changeWebhook, ann } = await createPendingDelivery(overrides)
    await insertDelivery(webhook)
    expect(await claim()).toHaveLength(2)
    await insertDelivery(webhook)
    const [before] = await claim()
    expect(opened).toHaveLength(1)
    const context = `secret of webhook ${webhook.id} in workspace ${ann.workspaceId}`
    await changeWebhook(webhook, {
      sealed_secret: secrets.seal(new TextEncoder().encode('whsec_new'), context),
    })
    const body = expectedBody(await insertDelivery(webhook))
    const [after] = await claim()
    expect(after).toMatchObject({
      signature: `sha256=${createHmac('sha256', 'whsec_new').update(body).digest('hex')}`,
    })
    expect(after!.signature).not.toBe(before!.signature)
    expect(opened).toEqual([context, context])
  })

  test('that is cached is rejected for another webhook with a copy of it', async () => {
    const { claim, insertDelivery, subscribe, webhook, sealSecret, failures } = await createPendingDelivery()
    expect(await claim()).toHaveLength(1)
    await insertDelivery(await subscribe({ sealed_secret: sealSecret(webhook.id) }))
    expect(await claim()).toEqual([])
    expect(failures).toEqual([new Error('Sealed for something else.')])
  })
})

describe('a secret that cannot be opened', () => {
  test('is recorded as an uncounted attempt, is reported, and does not delay other webhooks', async () => {
    const {
      claim,
      insertDelivery,
      subscribe,
      webhook,
      delivery,
      deliveries,
      failures,
      changeWebhook,
      drops,
    } = await createPendingDelivery()
    await changeWebhook(webhook, { sealed_secret: secrets.seal(new Uint8Array([1]), 'something else') })
    await insertDelivery(webhook)
    const other = await insertDelivery(await subscribe())
    expect(await claim()).toMatchObject([{ id: other.id }])
    const attempt = { created_at: NOON, duration_ms: 0, status: null, error: 'not_signed', response: null }
    expect((await deliveries())[0]).toEqual({
      ...delivery,
      attempts: [attempt],
      lease: 1,
      due_at: '2026-03-01T12:15:00.000Z',
    })
    expect(failures).toEqual([new Error('Sealed for something else.')])
    expect(drops).toEqual([])
  })

  test('loses no deliveries and is reported once: they are sent after the key is restored', async () => {
    const { claim, saveOutcomes, webhook, deliveries, clock, changeWebhook, failures, drops, sealSecret } =
      await createPendingDelivery()
    await changeWebhook(webhook, { sealed_secret: 'none' })
    for (let nth = 0; nth < 30; nth += 1) {
      expect(await claim()).toEqual([])
      clock.advance(899)
      expect(await claim()).toEqual([])
      clock.advance(1)
    }
    const [pending] = await deliveries()
    expect(pending).toMatchObject({ status: 'pending', reason: null, attempts_count: 0, sending: false })
    expect(pending!.attempts).toHaveLength(21)
    expect([failures.length, drops]).toEqual([1, []])
    await changeWebhook(webhook, { sealed_secret: sealSecret(webhook.id) })
    const sendings = await claim()
    await saveOutcomes(sendings)
    expect(sendings).toMatchObject([{ signature: expect.stringMatching(/^sha256=/) }])
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })

  test('does not delay others if its attempt cannot be saved, and is retried after its lease', async () => {
    const memory = memoryStorage()
    const unavailable = new Error('gone')
    let transactionsLeft = Number.POSITIVE_INFINITY
    const transact: Storage['transact'] = (work, options) =>
      options?.durability !== 'relaxed' || transactionsLeft-- > 0
        ? memory.transact(work)
        : Promise.reject(unavailable)
    const {
      claim,
      insertDelivery,
      subscribe,
      webhook,
      delivery,
      deliveries,
      failures,
      changeWebhook,
      clock,
    } = await createPendingDelivery({
      storage: { ...memory, transact },
    })
    await changeWebhook(webhook, { sealed_secret: 'none' })
    const other = await insertDelivery(await subscribe())
    transactionsLeft = 1
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(failures).toEqual([expect.any(SyntaxError), unavailable])
    expect(await deliveries()).toMatchObject([
      { id: delivery.id, sending: true, attempts: [] },
      { id: other.id },
    ])
    transactionsLeft = Number.POSITIVE_INFINITY
    await changeWebhook(webhook, { sealed_secret: null })
    clock.advance(30)
    expect(await claim()).toMatchObject([{ lease: 2 }, { lease: 2 }])
  })
})
