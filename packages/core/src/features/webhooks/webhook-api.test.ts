import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import type { Actor } from '../../kernel/actor.ts'
import { unsealSecret } from './webhook.ts'

const HOOK = { url: 'https://hooks.example/crm', events: ['deal.won', 'deal.lost'] } as const
const SECRET = /^whsec_[0-9a-f]{64}$/
const NOT_FOUND = { code: 'not_found', message: 'Webhook not found.' }
const LATER = '2026-03-01T12:01:00.000Z'

const withScopes = (actor: Actor, ...scopes: string[]): Actor => ({ ...actor, scopes: new Set(scopes) })
const withClient = (actor: Actor, clientId: string): Actor => ({ ...actor, clientId })

describe('a webhook', () => {
  test('is created without a secret by default, and can be read, listed and deleted', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const created = await crm.webhooks.create(owner, HOOK)
    expect(created).toEqual({
      id: created.id,
      ...HOOK,
      auth_enable: false,
      created_at: NOON,
      updated_at: NOON,
    })
    expect(await crm.webhooks.get(owner, created.id.toUpperCase())).toEqual(created)
    expect(await crm.webhooks.list(owner)).toEqual({
      data: [created],
      meta: { total: 1, page: 1, per_page: 50, has_more: false },
    })
    await crm.webhooks.remove(owner, created.id)
    expect(await catchRejection(crm.webhooks.get(owner, created.id))).toEqual(NOT_FOUND)
    expect(await catchRejection(crm.webhooks.remove(owner, created.id))).toEqual(NOT_FOUND)
    expect((await crm.webhooks.list(owner)).data).toEqual([])
    // The row is deleted, so its id can be reused.
    const row = {
      id: created.id,
      client_id: null,
      creator_user_id: null,
      url: '',
      host: '',
      events: [],
      sealed_secret: null,
      created_at: NOON,
      updated_at: NOON,
    }
    await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.insert(row))
  })

  test('is listed in pages, the latest first', async () => {
    const { crm, owner, clock } = await createTestCrm()
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth += 1) {
      ids.push((await crm.webhooks.create(owner, HOOK)).id)
      clock.advance(1)
    }
    const listIds = async (query: object) => (await crm.webhooks.list(owner, query)).data.map(({ id }) => id)
    expect(await listIds({ per_page: 2 })).toEqual([ids[2], ids[1]])
    expect(await listIds({ per_page: 2, page: 2 })).toEqual([ids[0]])
    expect(await listIds({ order: 'asc' })).toEqual(ids)
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

  test('is visible to its app in its workspace only', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    for (const other of [withClient(owner, 'another'), otherOwner, withClient(otherOwner, 'another')]) {
      expect(await catchRejection(crm.webhooks.get(other, id))).toEqual(NOT_FOUND)
      expect(await catchRejection(crm.webhooks.update(other, id, { auth_enable: true }))).toEqual(NOT_FOUND)
      expect(await catchRejection(crm.webhooks.remove(other, id))).toEqual(NOT_FOUND)
      expect(await catchRejection(crm.webhooks.deliveries(other, id))).toEqual(NOT_FOUND)
      expect(await catchRejection(crm.webhooks.test(other, id))).toEqual(NOT_FOUND)
      expect((await crm.webhooks.list(other)).meta.total).toBe(0)
    }
    expect(await crm.webhooks.get(owner, id)).toMatchObject({ id, auth_enable: false })
  })

  test('of the workspace itself, with a null client_id, is visible to no app', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const row = {
      id: UNKNOWN_ID,
      client_id: null,
      creator_user_id: null,
      url: '',
      host: '',
      events: [],
      sealed_secret: null,
      created_at: NOON,
      updated_at: NOON,
    }
    await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.insert(row))
    expect(await catchRejection(crm.webhooks.get(owner, UNKNOWN_ID))).toEqual(NOT_FOUND)
    expect((await crm.webhooks.list(owner)).data).toEqual([])
  })

  test.each([UNKNOWN_ID, 'x', '', '__proto__', `${UNKNOWN_ID}\n`])(
    'is not found by the id %j',
    async (id) => {
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
        expect(await catchRejection(work)).toEqual(NOT_FOUND)
    },
  )

  test('is readable with either scope and writable with webhooks:manage only', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    const delivery = (await crm.webhooks.test(owner, id)).id
    const readCalls = (actor: Actor) => [
      () => crm.webhooks.list(actor),
      () => crm.webhooks.get(actor, id),
      () => crm.webhooks.deliveries(actor, id),
      () => crm.webhooks.delivery(actor, id, delivery),
    ]
    const writeCalls = (actor: Actor) => [
      () => crm.webhooks.create(actor, HOOK),
      () => crm.webhooks.update(actor, id, { auth_enable: true }),
      () => crm.webhooks.redeliver(actor, id, delivery),
      () => crm.webhooks.test(actor, id),
      () => crm.webhooks.remove(actor, id),
    ]
    const [reader, manager, scopeless] = [
      withScopes(owner, 'webhooks:read'),
      withScopes(owner, 'webhooks:manage'),
      withScopes(owner),
    ]
    const insufficientScope = {
      code: 'insufficient_scope',
      message: "This endpoint requires the 'webhooks:manage' scope.",
    }
    for (const work of [...writeCalls(reader), ...readCalls(scopeless), ...writeCalls(scopeless)])
      expect(await catchRejection(work)).toEqual(insufficientScope)
    for (const work of [...readCalls(reader), ...readCalls(manager), ...writeCalls(manager)]) await work()
  })

  test('keeps updated_at on an update without changes', async () => {
    const { crm, owner, clock } = await createTestCrm()
    const { id, ...created } = await crm.webhooks.create(owner, HOOK)
    clock.set(LATER)
    expect(await crm.webhooks.update(owner, id, { ...HOOK, auth_enable: false })).toEqual({ id, ...created })
    expect(await crm.webhooks.update(owner, id, { url: 'https://new.example' })).toEqual({
      ...{ id, ...created },
      ...{ url: 'https://new.example/', updated_at: LATER },
    })
    expect((await crm.webhooks.update(owner, id, { events: ['task.created'] })).events).toEqual([
      'task.created',
    ])
  })

  test('stores the host of its URL', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const getHost = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(owner.workspaceId).webhooks.get(id))?.host)
    const { id } = await crm.webhooks.create(owner, HOOK)
    expect(await getHost(id)).toBe('hooks.example')
    await crm.webhooks.update(owner, id, { url: 'https://new.example:8443/x' })
    expect(await getHost(id)).toBe('new.example')
  })

  test('is validated before it is looked up', async () => {
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
    expect(await catchRejection(crm.webhooks.update(owner, UNKNOWN_ID, { auth_enable: true }))).toEqual(
      NOT_FOUND,
    )
  })
})

describe('the secret of a webhook', () => {
  test('is returned only when it is created', async () => {
    const { crm, owner } = await createTestCrm()
    const { webhook_secret, ...created } = await crm.webhooks.create(owner, { ...HOOK, auth_enable: true })
    expect(webhook_secret).toMatch(SECRET)
    expect(created).toMatchObject({ auth_enable: true })
    expect(await crm.webhooks.get(owner, created.id)).toEqual(created)
    expect((await crm.webhooks.list(owner)).data).toEqual([created])
    expect(await crm.webhooks.update(owner, created.id, { auth_enable: true })).toEqual(created)
    expect(await crm.webhooks.update(owner, created.id, { events: ['task.created'] })).toEqual({
      ...created,
      events: ['task.created'],
    })
    expect(JSON.stringify(await crm.webhooks.test(owner, created.id))).not.toContain('whsec_')
  })

  test('is regenerated each time signing is enabled, and deleted when it is disabled', async () => {
    const { crm, owner, storage, ports, clock } = await createTestCrm()
    const getRow = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(owner.workspaceId).webhooks.get(id))!)
    const { id } = await crm.webhooks.create(owner, HOOK)
    const secrets: string[] = []
    for (let nth = 0; nth < 2; nth += 1) {
      const enabled = await crm.webhooks.update(owner, id, { auth_enable: true })
      expect(enabled.webhook_secret).toMatch(SECRET)
      secrets.push(enabled.webhook_secret!)
      const { sealed_secret } = await getRow(id)
      expect(unsealSecret(ports.secrets, owner.workspaceId, id, sealed_secret!)).toBe(enabled.webhook_secret)
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
      expect(await getRow(id)).toMatchObject({ sealed_secret: null })
    }
    expect(new Set(secrets).size).toBe(2)
  })

  test('is different for each webhook', async () => {
    const { crm, owner } = await createTestCrm()
    const webhooks = await Promise.all(
      Array.from({ length: 5 }, () => crm.webhooks.create(owner, { ...HOOK, auth_enable: true })),
    )
    expect(new Set(webhooks.map(({ webhook_secret }) => webhook_secret)).size).toBe(5)
  })

  test('is created once by two concurrent updates', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.webhooks.create(owner, HOOK)
    const updates = await Promise.all([1, 2].map(() => crm.webhooks.update(owner, id, { auth_enable: true })))
    expect(updates.filter(({ webhook_secret }) => webhook_secret !== undefined)).toHaveLength(1)
  })
})

describe('webhooks', () => {
  test('are limited to fifty per app and workspace, not counting deleted ones', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const webhooks = await Promise.all(Array.from({ length: 50 }, () => crm.webhooks.create(owner, HOOK)))
    const limitError = { url: 'The app has 50 webhooks, which is as many as it can have.' }
    expect(await catchFieldErrors(crm.webhooks.create(owner, HOOK))).toEqual(limitError)
    expect(await catchFieldErrors(crm.webhooks.create(owner, { ...HOOK, url: 'x' }))).toEqual({
      url: 'Must be an https URL.',
    })
    await crm.webhooks.create(withClient(owner, 'another'), HOOK)
    await crm.webhooks.create(otherOwner, HOOK)
    await crm.webhooks.remove(owner, webhooks[0]!.id)
    await crm.webhooks.create(owner, HOOK)
    expect(await catchFieldErrors(crm.webhooks.create(owner, HOOK))).toEqual(limitError)
  })
})
