import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import type { Actor } from '../../kernel/actor.ts'
import { unsealSecret } from './webhook.ts'

const HOOK = { url: 'https://hooks.example/crm', events: ['deal.won', 'deal.lost'] } as const
const SECRET = /^whsec_[0-9a-f]{64}$/
const GONE = { code: 'not_found', message: 'Webhook not found.' }
const LATER = '2026-03-01T12:01:00.000Z'

const withScopes = (actor: Actor, ...scopes: string[]): Actor => ({ ...actor, scopes: new Set(scopes) })
const through = (actor: Actor, clientId: string): Actor => ({ ...actor, clientId })

describe('a webhook', () => {
  test('is made without a secret where none is asked for, and read, listed and deleted', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const made = await crm.webhooks.create(owner, HOOK)
    expect(made).toEqual({ id: made.id, ...HOOK, auth_enable: false, created_at: NOON, updated_at: NOON })
    expect(await crm.webhooks.get(owner, made.id.toUpperCase())).toEqual(made)
    expect(await crm.webhooks.list(owner)).toEqual({
      data: [made],
      meta: { total: 1, page: 1, per_page: 50, has_more: false },
    })
    await crm.webhooks.remove(owner, made.id)
    expect(await catchRejection(crm.webhooks.get(owner, made.id))).toEqual(GONE)
    expect(await catchRejection(crm.webhooks.remove(owner, made.id))).toEqual(GONE)
    expect((await crm.webhooks.list(owner)).data).toEqual([])
    // Nothing is left of it: its id could be used again.
    const row = {
      id: made.id,
      client_id: null,
      url: '',
      host: '',
      events: [],
      sealed_secret: null,
      created_at: NOON,
      updated_at: NOON,
    }
    await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.insert(row))
  })

  test('is listed page by page, the latest first', async () => {
    const { crm, owner, clock } = await createTestCrm()
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth += 1) {
      ids.push((await crm.webhooks.create(owner, HOOK)).id)
      clock.advance(1)
    }
    const listed = async (query: object) => (await crm.webhooks.list(owner, query)).data.map(({ id }) => id)
    expect(await listed({ per_page: 2 })).toEqual([ids[2], ids[1]])
    expect(await listed({ per_page: 2, page: 2 })).toEqual([ids[0]])
    expect(await listed({ order: 'asc' })).toEqual(ids)
    expect(
      await catchFieldErrors(
        crm.webhooks.list(owner, { order_by: 'url', per_page: 101, status: 'x' } as never),
      ),
    ).toEqual({
      order_by: 'Must be one of: created_at.',
      per_page: 'Must be between 1 and 100.',
      status: 'Unknown parameter.',
    })
  })

  test('is there for its app and its workspace alone', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    for (const other of [through(owner, 'another'), otherOwner, through(otherOwner, 'another')]) {
      expect(await catchRejection(crm.webhooks.get(other, id))).toEqual(GONE)
      expect(await catchRejection(crm.webhooks.update(other, id, { auth_enable: true }))).toEqual(GONE)
      expect(await catchRejection(crm.webhooks.remove(other, id))).toEqual(GONE)
      expect(await catchRejection(crm.webhooks.deliveries(other, id))).toEqual(GONE)
      expect(await catchRejection(crm.webhooks.test(other, id))).toEqual(GONE)
      expect((await crm.webhooks.list(other)).meta.total).toBe(0)
    }
    expect(await crm.webhooks.get(owner, id)).toMatchObject({ id, auth_enable: false })
  })

  test('of the workspace itself is no app’s, not even by a null', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const row = {
      id: UNKNOWN_ID,
      client_id: null,
      url: '',
      host: '',
      events: [],
      sealed_secret: null,
      created_at: NOON,
      updated_at: NOON,
    }
    await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.insert(row))
    expect(await catchRejection(crm.webhooks.get(owner, UNKNOWN_ID))).toEqual(GONE)
    expect((await crm.webhooks.list(owner)).data).toEqual([])
  })

  test.each([UNKNOWN_ID, 'x', '', '__proto__', `${UNKNOWN_ID}\n`])('is not found under %j', async (id) => {
    const { crm, owner } = await createTestCrm()
    for (const work of [
      () => crm.webhooks.get(owner, id),
      () => crm.webhooks.update(owner, id, { auth_enable: true }),
      () => crm.webhooks.remove(owner, id),
      () => crm.webhooks.deliveries(owner, id),
      () => crm.webhooks.delivery(owner, id, UNKNOWN_ID),
      () => crm.webhooks.redeliver(owner, id, UNKNOWN_ID),
      () => crm.webhooks.test(owner, id),
    ])
      expect(await catchRejection(work)).toEqual(GONE)
  })

  test('is read with either scope, and changed with one alone, which every refusal names', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    const delivery = (await crm.webhooks.test(owner, id)).id
    const reading = (actor: Actor) => [
      () => crm.webhooks.list(actor),
      () => crm.webhooks.get(actor, id),
      () => crm.webhooks.deliveries(actor, id),
      () => crm.webhooks.delivery(actor, id, delivery),
    ]
    const changing = (actor: Actor) => [
      () => crm.webhooks.create(actor, HOOK),
      () => crm.webhooks.update(actor, id, { auth_enable: true }),
      () => crm.webhooks.redeliver(actor, id, delivery),
      () => crm.webhooks.test(actor, id),
      () => crm.webhooks.remove(actor, id),
    ]
    const [reader, manager, nobody] = [
      withScopes(owner, 'webhooks:read'),
      withScopes(owner, 'webhooks:manage'),
      withScopes(owner),
    ]
    const missing = {
      code: 'insufficient_scope',
      message: "This endpoint requires the 'webhooks:manage' scope.",
    }
    for (const work of [...changing(reader), ...reading(nobody), ...changing(nobody)])
      expect(await catchRejection(work)).toEqual(missing)
    for (const work of [...reading(reader), ...reading(manager), ...changing(manager)]) await work()
  })

  test('that is changed in nothing keeps its instant', async () => {
    const { crm, owner, clock } = await createTestCrm()
    const { id, ...made } = await crm.webhooks.create(owner, HOOK)
    clock.set(LATER)
    expect(await crm.webhooks.update(owner, id, { ...HOOK, auth_enable: false })).toEqual({ id, ...made })
    expect(await crm.webhooks.update(owner, id, { url: 'https://new.example' })).toEqual({
      ...{ id, ...made },
      ...{ url: 'https://new.example/', updated_at: LATER },
    })
    expect((await crm.webhooks.update(owner, id, { events: ['task.created'] })).events).toEqual([
      'task.created',
    ])
  })

  test('goes to the host of its URL', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const hostOf = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(owner.workspaceId).webhooks.get(id))?.host)
    const { id } = await crm.webhooks.create(owner, HOOK)
    expect(await hostOf(id)).toBe('hooks.example')
    await crm.webhooks.update(owner, id, { url: 'https://new.example:8443/x' })
    expect(await hostOf(id)).toBe('new.example')
  })

  test('is judged before it is looked for', async () => {
    const { crm, owner } = await createTestCrm()
    expect(await catchRejection(crm.webhooks.update(owner, UNKNOWN_ID, {}))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
    })
    expect(
      await catchFieldErrors(crm.webhooks.update(owner, UNKNOWN_ID, { url: 'http://a.example' })),
    ).toEqual({
      url: 'Must be an https URL.',
    })
    expect(await catchRejection(crm.webhooks.update(owner, UNKNOWN_ID, { auth_enable: true }))).toEqual(GONE)
  })
})

describe('the secret of a webhook', () => {
  test('is answered when it is made, and never again', async () => {
    const { crm, owner } = await createTestCrm()
    const { webhook_secret, ...made } = await crm.webhooks.create(owner, { ...HOOK, auth_enable: true })
    expect(webhook_secret).toMatch(SECRET)
    expect(made).toMatchObject({ auth_enable: true })
    expect(await crm.webhooks.get(owner, made.id)).toEqual(made)
    expect((await crm.webhooks.list(owner)).data).toEqual([made])
    expect(await crm.webhooks.update(owner, made.id, { auth_enable: true })).toEqual(made)
    expect(await crm.webhooks.update(owner, made.id, { events: ['task.created'] })).toEqual({
      ...made,
      events: ['task.created'],
    })
    expect(JSON.stringify(await crm.webhooks.test(owner, made.id))).not.toContain('whsec_')
  })

  test('is made anew each time it is turned on, and erased when it is turned off', async () => {
    const { crm, owner, storage, ports, clock } = await createTestCrm()
    const keptOf = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(owner.workspaceId).webhooks.get(id))!)
    const { id } = await crm.webhooks.create(owner, HOOK)
    const secrets: string[] = []
    for (let nth = 0; nth < 2; nth += 1) {
      const on = await crm.webhooks.update(owner, id, { auth_enable: true })
      expect(on.webhook_secret).toMatch(SECRET)
      secrets.push(on.webhook_secret!)
      const { sealed_secret } = await keptOf(id)
      expect(unsealSecret(ports.secrets, owner.workspaceId, id, sealed_secret!)).toBe(on.webhook_secret)
      expect(() => unsealSecret(ports.secrets, UNKNOWN_ID, id, sealed_secret!)).toThrow(
        'Sealed for something else.',
      )
      expect(() => unsealSecret(ports.secrets, owner.workspaceId, UNKNOWN_ID, sealed_secret!)).toThrow(
        'Sealed for something else.',
      )
      clock.set(LATER)
      expect(await crm.webhooks.update(owner, id, { auth_enable: false })).toEqual({
        ...{ id, ...HOOK, auth_enable: false, created_at: NOON, updated_at: LATER },
      })
      expect(await keptOf(id)).toMatchObject({ sealed_secret: null })
    }
    expect(new Set(secrets).size).toBe(2)
  })

  test('is another for each webhook', async () => {
    const { crm, owner } = await createTestCrm()
    const made = await Promise.all(
      Array.from({ length: 5 }, () => crm.webhooks.create(owner, { ...HOOK, auth_enable: true })),
    )
    expect(new Set(made.map(({ webhook_secret }) => webhook_secret)).size).toBe(5)
  })

  test('is made once by two who turn it on at the same time', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    const both = await Promise.all([1, 2].map(() => crm.webhooks.update(owner, id, { auth_enable: true })))
    expect(both.filter(({ webhook_secret }) => webhook_secret !== undefined)).toHaveLength(1)
  })
})

describe('webhooks', () => {
  test('are fifty at most for an app in a workspace, and a deleted one makes room', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const made = await Promise.all(Array.from({ length: 50 }, () => crm.webhooks.create(owner, HOOK)))
    const full = { url: 'The app has 50 webhooks, which is as many as it can have.' }
    expect(await catchFieldErrors(crm.webhooks.create(owner, HOOK))).toEqual(full)
    expect(await catchFieldErrors(crm.webhooks.create(owner, { ...HOOK, url: 'x' }))).toEqual({
      url: 'Must be an https URL.',
    })
    await crm.webhooks.create(through(owner, 'another'), HOOK)
    await crm.webhooks.create(otherOwner, HOOK)
    await crm.webhooks.remove(owner, made[0]!.id)
    await crm.webhooks.create(owner, HOOK)
    expect(await catchFieldErrors(crm.webhooks.create(owner, HOOK))).toEqual(full)
  })
})
