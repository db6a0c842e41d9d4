import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPendingDelivery, expectedBody } from '../../../test/delivery-harness.ts'
import { NOON, secrets } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

describe('signing', () => {
  test('waits until nothing is held any more', async () => {
    const sound = memoryStorage()
    let open = 0
    const counted: Storage['transact'] = async (work) => {
      open += 1
      try {
        return await sound.transact(work)
      } finally {
        open -= 1
      }
    }
    const openAtSigning: number[] = []
    const sign: typeof secrets.sign = (text, key) => {
      openAtSigning.push(open)
      return secrets.sign(text, key)
    }
    const { claim } = await createPendingDelivery({
      storage: { ...sound, transact: counted },
      secrets: { ...secrets, sign },
    })
    expect(await claim()).toHaveLength(1)
    expect(openAtSigning).toEqual([0])
  })
})

describe('a secret', () => {
  /** Notes whenever one is opened. */
  function counting() {
    const opened: string[] = []
    const open: typeof secrets.open = (sealed, context) => {
      if (context.startsWith('secret of webhook')) opened.push(context)
      return secrets.open(sealed, context)
    }
    return { opened, special: { secrets: { ...secrets, open } } }
  }

  test('is opened once for all that is signed with it, as long as it is the same', async () => {
    const { opened, special } = counting()
    const { claim, insertDelivery, webhook, changeWebhook, ann } = await createPendingDelivery(special)
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

  test("that is open is no other webhook's, even where it was copied there", async () => {
    const { claim, insertDelivery, subscribe, webhook, sealed, failures } = await createPendingDelivery()
    expect(await claim()).toHaveLength(1)
    await insertDelivery(await subscribe({ sealed_secret: sealed(webhook.id) }))
    expect(await claim()).toEqual([])
    expect(failures).toEqual([new Error('Sealed for something else.')])
  })
})

describe('a secret that cannot be opened', () => {
  test('is an attempt that is noted and not counted, told to the operator, and holds up nobody else', async () => {
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

  test('loses nothing, however long it lasts, and is told once: what waits is sent once the key is right again', async () => {
    const { claim, settle, webhook, deliveries, clock, changeWebhook, failures, drops, sealed } =
      await createPendingDelivery()
    await changeWebhook(webhook, { sealed_secret: 'none' })
    for (let nth = 0; nth < 30; nth += 1) {
      expect(await claim()).toEqual([])
      clock.advance(899)
      expect(await claim()).toEqual([])
      clock.advance(1)
    }
    const [kept] = await deliveries()
    expect(kept).toMatchObject({ status: 'pending', reason: null, attempts_count: 0, sending: false })
    expect(kept!.attempts).toHaveLength(21)
    expect([failures.length, drops]).toEqual([1, []])
    await changeWebhook(webhook, { sealed_secret: sealed(webhook.id) })
    const sendings = await claim()
    await settle(sendings)
    expect(sendings).toMatchObject([{ signature: expect.stringMatching(/^sha256=/) }])
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })

  test('keeps nobody from being sent even where that attempt cannot be noted, and is tried again once its lease is over', async () => {
    const sound = memoryStorage()
    const gone = new Error('gone')
    let transactions = Number.POSITIVE_INFINITY
    const transact: Storage['transact'] = (work, options) =>
      options?.durability !== 'relaxed' || transactions-- > 0 ? sound.transact(work) : Promise.reject(gone)
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
      storage: { ...sound, transact },
    })
    await changeWebhook(webhook, { sealed_secret: 'none' })
    const other = await insertDelivery(await subscribe())
    transactions = 1
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(failures).toEqual([expect.any(SyntaxError), gone])
    expect(await deliveries()).toMatchObject([
      { id: delivery.id, sending: true, attempts: [] },
      { id: other.id },
    ])
    transactions = Number.POSITIVE_INFINITY
    await changeWebhook(webhook, { sealed_secret: null })
    clock.advance(30)
    expect(await claim()).toMatchObject([{ lease: 2 }, { lease: 2 }])
  })
})
