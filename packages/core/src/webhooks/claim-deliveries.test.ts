import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { twenty } from '../../test/accounts.ts'
import { OK, REFUSED, SECRET, withWorker } from '../../test/delivering.ts'
import { NOBODY, NOON, secrets } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Storage } from '../ports.ts'

const HOUR = 3600
const revokedAt = { revoked_at: NOON, refresh_hash: null }

/** With a webhook whose deliveries are signed, and one of them due. */
async function waiting(...special: Parameters<typeof withWorker>) {
  const base = await withWorker(...special)
  const webhook = await base.subscribe()
  await base.changeWebhook(webhook, { sealed_secret: base.sealed(webhook.id) })
  const delivery = await base.put(webhook)
  return { ...base, webhook, delivery }
}

type Base = Awaited<ReturnType<typeof waiting>>

/** As if it happened elsewhere at the same time, so that nothing was dropped with it. */
function changeGrants({ storage, ann }: Base, change: object): Promise<void> {
  return storage.transact(async (tx) => {
    const { grants } = tx.workspace(ann.workspaceId)
    for (const grant of await grants.find([])) await grants.update({ ...grant, ...change })
  })
}

describe('a claim', () => {
  test('gives what is due, as it is to be sent, and holds it for as long as an attempt may take', async () => {
    const { claim, webhook, delivery, deliveries, ann } = await waiting()
    const signature = `sha256=${createHmac('sha256', SECRET).update(delivery.body).digest('hex')}`
    expect(await claim()).toEqual([
      {
        workspace_id: ann.workspaceId,
        id: delivery.id,
        webhook_id: webhook.id,
        event: 'task.created',
        lease: 1,
        url: 'https://a.example/hook',
        host: 'a.example',
        body: delivery.body,
        signature,
      },
    ])
    expect(await deliveries()).toEqual([{ ...delivery, sending: true, lease: 1, due_at: '2026-03-01T12:00:30.000Z' }])
    expect(await claim()).toEqual([])
  })

  test('gives again what nobody told the outcome of, once its time has run out', async () => {
    const { claim, clock, deliveries } = await waiting()
    await claim()
    clock.advance(29)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toMatchObject([{ lease: 2 }])
    expect(await deliveries()).toMatchObject([{ attempts: [], attempts_count: 0 }])
  })

  test('made twenty times at once gives each delivery once', async () => {
    const { claim, put, webhook } = await waiting()
    for (let nth = 1; nth < 30; nth += 1) await put(webhook)
    const given = (await twenty(() => claim({ mostPerHost: 2 }))).flat()
    expect(given).toHaveLength(30)
    expect(new Set(given.map(({ id }) => id)).size).toBe(30)
  })

  test('takes on no more than there is room for', async () => {
    const { claim, put, subscribe, webhook } = await waiting()
    const other = await subscribe({ url: 'https://b.example/', host: 'b.example' })
    for (const each of [webhook, webhook, other, other, other]) await put(each)
    expect(await claim({ most: 0 })).toEqual([])
    const hostsOf = (given: readonly { readonly host: string }[]) => given.map(({ host }) => host)
    expect(hostsOf(await claim({ mostPerHost: 1, room: new Map([['a.example', 0]]) }))).toEqual(['b.example'])
    expect(hostsOf(await claim({ mostPerHost: 1, room: new Map([['a.example', 2]]) }))).toEqual(['a.example', 'a.example', 'b.example'])
    expect(hostsOf(await claim({ most: 1 }))).toHaveLength(1)
  })

  test('tells nobody of the deliveries of a webhook that is gone, which go too', async () => {
    const { claim, put, storage, webhook, deliveries, ann, subscribe } = await waiting()
    const other = await put(await subscribe())
    await storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.erase(webhook.id))
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(await deliveries()).toMatchObject([{ id: other.id }])
  })

  test('takes a webhook for no other that has its id in another workspace', async () => {
    const { claim, stranger, inWorkspace, webhook, delivery } = await waiting()
    const there = inWorkspace(stranger.workspaceId)
    await there.put(webhook)
    expect(await claim()).toMatchObject([{ id: delivery.id }])
    expect(await there.deliveries()).toEqual([])
  })
})

const LEFT_OUT: readonly (readonly [string, (base: Base) => Promise<unknown>])[] = [
  ['is gone', ({ storage, ann, webhook }) => storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.erase(webhook.id))],
  ['is told nothing any more', (base) => changeGrants(base, revokedAt)],
  ['has a secret that cannot be opened', ({ changeWebhook, webhook }) => changeWebhook(webhook, { sealed_secret: 'none' })],
  ['moved to another host', ({ changeWebhook, webhook }) => changeWebhook(webhook, { url: 'https://b.example/', host: 'b.example' })],
]

describe('what a claim leaves out, since its webhook', () => {
  test.each(LEFT_OUT)('%s, keeps nobody waiting behind it: whoever claims is woken once', async (_, change) => {
    const base = await waiting()
    const { put, subscribe, webhook, clock, claim, wakes } = base
    for (let nth = 0; nth < 3; nth += 1) await put(webhook)
    await change(base)
    clock.advance(1)
    const other = await put(await subscribe({ client_id: null }))
    const woken = wakes()
    expect(await claim({ mostPerHost: 4 })).toEqual([])
    expect(woken.times).toBe(1)
    expect((await claim({ mostPerHost: 4, room: new Map([['b.example', 0]]) })).map(({ id }) => id)).toEqual([other.id])
  })

  test('is nothing where all is sent, and nobody is woken', async () => {
    const { claim, wakes } = await waiting()
    const woken = wakes()
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
    expect(woken.times).toBe(0)
  })
})

describe('a webhook that moved', () => {
  test('within its host is told at the new address', async () => {
    const { claim, changeWebhook, webhook } = await waiting()
    await changeWebhook(webhook, { url: 'https://a.example:8443/new' })
    expect(await claim()).toMatchObject([{ url: 'https://a.example:8443/new', host: 'a.example' }])
  })

  test('to another host waits in its line, where it is claimed at once', async () => {
    const { claim, changeWebhook, webhook, delivery, deliveries, wakes, clock } = await waiting()
    await changeWebhook(webhook, { url: 'https://b.example/', host: 'b.example' })
    const woken = wakes()
    clock.advance(5)
    expect(await claim()).toEqual([])
    expect(await deliveries()).toEqual([{ ...delivery, host: 'b.example', lease: 1, due_at: clock.now() }])
    expect(woken.times).toBe(1)
    expect(await claim({ room: new Map([['b.example', 0]]) })).toEqual([])
    expect(await claim()).toMatchObject([{ url: 'https://b.example/', host: 'b.example', lease: 2 }])
    expect(woken.times).toBe(1)
  })
})

describe('an app without access', () => {
  test('is told nothing, and what waits for it is dropped', async () => {
    const base = await waiting()
    const { ann, webhook, delivery } = base
    await changeGrants(base, revokedAt)
    base.clock.advance(60)
    expect(await base.claim()).toEqual([])
    expect(await base.deliveries()).toEqual([
      { ...base.delivery, status: 'dropped', reason: 'access_revoked', due_at: null, lease: 1, updated_at: '2026-03-01T12:01:00.000Z' },
    ])
    const { id, event } = delivery
    expect(base.drops).toEqual([{ workspace_id: ann.workspaceId, webhook_id: webhook.id, id, event, reason: 'access_revoked' }])
  })

  test('that was let in again in time is told', async () => {
    const base = await waiting()
    await changeGrants(base, revokedAt)
    await base.exchange(await base.codeFor())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('is none whose tokens were not used for too long', async () => {
    const base = await waiting()
    base.clock.set('2026-06-01T12:00:00.000Z')
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('in one workspace is told of another', async () => {
    const base = await waiting()
    const there = base.inWorkspace(base.stranger.workspaceId)
    const delivery = await there.put(await there.subscribe())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
    expect(await there.deliveries()).toMatchObject([{ id: delivery.id, status: 'dropped', reason: 'access_revoked' }])
  })

  test.each([null, 'an embedding program'])('is none where the webhook is made by %s', async (client_id) => {
    const { claim, inWorkspace, stranger } = await withWorker()
    const { put, subscribe } = inWorkspace(stranger.workspaceId)
    const { id } = await put(await subscribe({ client_id }))
    expect(await claim()).toMatchObject([{ id, signature: undefined }])
  })
})

describe('an attempt', () => {
  test('carries the same bytes as each before it', async () => {
    const { claim, settle, clock, delivery } = await waiting()
    const sent: unknown[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const sendings = await claim()
      await settle(sendings, REFUSED)
      sent.push(...sendings.map(({ id, body }) => ({ id, body })))
      clock.advance(900)
    }
    expect(sent).toEqual(Array.from({ length: 4 }, () => ({ id: delivery.id, body: delivery.body })))
  })

  test('is signed as its webhook says by then', async () => {
    const { claim, settle, changeWebhook, sealed, webhook, clock, ann } = await waiting()
    const signatureNow = async () => {
      const sendings = await claim()
      await settle(sendings, REFUSED)
      clock.advance(900)
      return sendings[0]!.signature
    }
    const first = await signatureNow()
    await changeWebhook(webhook, { sealed_secret: null })
    expect(await signatureNow()).toBeUndefined()
    const context = `secret of webhook ${webhook.id} in workspace ${ann.workspaceId}`
    await changeWebhook(webhook, { sealed_secret: secrets.seal(new TextEncoder().encode('whsec_new'), context) })
    const third = await signatureNow()
    expect(third).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(third).not.toBe(first)
    await changeWebhook(webhook, { sealed_secret: sealed(webhook.id) })
    expect(await signatureNow()).toBe(first)
  })

  test('is neither put off by a clock that is set back nor lost with one that jumps ahead', async () => {
    const { claim, settle, clock, deliveries } = await waiting()
    await settle(await claim(), REFUSED)
    clock.advance(-2 * HOUR)
    const early = await claim()
    expect(early).toHaveLength(1)
    // Under way when the clock is set back once more: it comes twice rather than late.
    clock.advance(-2 * HOUR)
    const again = await claim()
    expect(again).toMatchObject([{ lease: 3 }])
    await settle(early, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
    clock.advance(4 * HOUR)
    expect(await claim()).toMatchObject([{ lease: 4 }])
    await settle(again, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
  })

  test('is due at its time where the clock was set back by less than a minute', async () => {
    const { claim, settle, clock } = await waiting()
    await settle(await claim(), REFUSED)
    clock.advance(-60)
    expect(await claim()).toEqual([])
    clock.advance(-1)
    expect(await claim()).toHaveLength(1)
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
    const { claim, put, webhook, changeWebhook, ann } = await waiting(special)
    await put(webhook)
    expect(await claim()).toHaveLength(2)
    await put(webhook)
    const [before] = await claim()
    expect(opened).toHaveLength(1)
    const context = `secret of webhook ${webhook.id} in workspace ${ann.workspaceId}`
    await changeWebhook(webhook, { sealed_secret: secrets.seal(new TextEncoder().encode('whsec_new'), context) })
    const { body } = await put(webhook)
    const [after] = await claim()
    expect(after).toMatchObject({ signature: `sha256=${createHmac('sha256', 'whsec_new').update(body).digest('hex')}` })
    expect(after!.signature).not.toBe(before!.signature)
    expect(opened).toEqual([context, context])
  })

  test("that is open is no other webhook's, even where it was copied there", async () => {
    const { claim, put, subscribe, webhook, sealed, failures } = await waiting()
    expect(await claim()).toHaveLength(1)
    await put(await subscribe({ sealed_secret: sealed(webhook.id) }))
    expect(await claim()).toEqual([])
    expect(failures).toEqual([new Error('Sealed for something else.')])
  })
})

describe('a secret that cannot be opened', () => {
  test('is an attempt that failed, told to the operator, and holds up nobody else', async () => {
    const { claim, put, subscribe, webhook, delivery, deliveries, failures, changeWebhook, drops } = await waiting()
    await changeWebhook(webhook, { sealed_secret: secrets.seal(new Uint8Array([1]), 'something else') })
    await put(webhook)
    const other = await put(await subscribe())
    expect(await claim()).toMatchObject([{ id: other.id }])
    const attempt = { created_at: NOON, duration_ms: 0, status: null, error: 'not_signed', response: null }
    expect((await deliveries())[0]).toEqual({
      ...delivery,
      attempts: [attempt],
      attempts_count: 1,
      lease: 1,
      due_at: '2026-03-01T12:15:00.000Z',
    })
    expect(failures).toEqual([new Error('Sealed for something else.')])
    expect(drops).toEqual([])
  })

  test('ends in a drop, like any attempt', async () => {
    const { claim, webhook, delivery, deliveries, clock, changeWebhook, failures, drops, ann } = await waiting()
    await changeWebhook(webhook, { sealed_secret: 'none' })
    for (let nth = 0; nth < 5; nth += 1) {
      expect(await claim()).toEqual([])
      clock.advance(900)
    }
    expect(await deliveries()).toMatchObject([{ status: 'dropped', reason: 'retries_exhausted', attempts_count: 4 }])
    expect(failures).toHaveLength(4)
    const { id, event } = delivery
    expect(drops).toEqual([{ workspace_id: ann.workspaceId, webhook_id: webhook.id, id, event, reason: 'retries_exhausted' }])
  })

  test('keeps nobody from being sent even where that attempt cannot be noted, and is tried again once its lease is over', async () => {
    const sound = memoryStorage()
    const gone = new Error('gone')
    let transactions = Number.POSITIVE_INFINITY
    const transactUnsynced: Storage['transact'] = (work) => (transactions-- > 0 ? sound.transact(work) : Promise.reject(gone))
    const { claim, put, subscribe, webhook, delivery, deliveries, failures, changeWebhook, clock } = await waiting({
      storage: { ...sound, transactUnsynced },
    })
    await changeWebhook(webhook, { sealed_secret: 'none' })
    const other = await put(await subscribe())
    transactions = 1
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(failures).toEqual([expect.any(SyntaxError), gone])
    expect(await deliveries()).toMatchObject([{ id: delivery.id, sending: true, attempts: [] }, { id: other.id }])
    transactions = Number.POSITIVE_INFINITY
    await changeWebhook(webhook, { sealed_secret: null })
    clock.advance(30)
    expect(await claim()).toMatchObject([{ lease: 2 }, { lease: 2 }])
  })

  test('keeps nobody waiting who is told with the right key in time', async () => {
    const { claim, webhook, clock, changeWebhook, sealed } = await waiting()
    await changeWebhook(webhook, { sealed_secret: 'none' })
    await claim()
    await changeWebhook(webhook, { sealed_secret: sealed(webhook.id) })
    clock.advance(900)
    expect(await claim()).toMatchObject([{ signature: expect.stringMatching(/^sha256=/) }])
  })
})

test('a delivery in a workspace that never was is erased', async () => {
  const { claim, inWorkspace } = await withWorker()
  const { put, deliveries } = inWorkspace(NOBODY)
  await put({ id: NOBODY, host: 'a.example' })
  expect(await claim()).toEqual([])
  expect(await deliveries()).toEqual([])
})
