import { expect, test } from 'vitest'
import { signInTestUser } from '../../../test/accounts.ts'
import { catchRejection, createTestCrm, OWNER } from '../../../test/harness.ts'
import { insertWebhook, listDeliveries } from '../../../test/webhooks.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'

const HOOK = { url: 'https://hooks.example/crm', events: ['task.created'] } as const
const ADA = 'ada@acme.example'
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }

const inConsole = (actor: Actor): Actor => ({ ...actor, clientId: CONSOLE_CLIENT_ID })
const denial = (operation: string) => ({
  code: 'forbidden',
  message: `You do not have permission to ${operation} this webhook.`,
})

async function withConsoleWebhook() {
  const base = await createTestCrm()
  const { crm, storage, owner } = base
  const [olga, ada, ann] = [owner, base.admin, base.ann].map(inConsole) as [Actor, Actor, Actor]
  const webhook = await crm.webhooks.create(ada, HOOK)
  const deliveriesOf = () => listDeliveries(storage, owner.workspaceId)
  const setRole = (userId: string, role: 'admin' | 'member') =>
    storage.transact(async (tx) => {
      const { members } = tx.workspace(owner.workspaceId)
      await members.update({ ...(await members.getForUpdate(userId))!, role })
    })
  return { ...base, olga, ada, ann, webhook, deliveriesOf, setRole }
}

test('a webhook of the console is for owners and admins, and names its creator', async () => {
  const { crm, olga, ada, ann, webhook } = await withConsoleWebhook()
  expect(webhook).toMatchObject({ creator: { id: ada.userId, email: ADA }, stopped: false })
  expect((await crm.webhooks.list(olga)).data).toEqual([webhook])
  const { id: deliveryId } = await crm.webhooks.test(ada, webhook.id)
  const calls: [string, Promise<unknown>][] = [
    ['read', crm.webhooks.list(ann)],
    ['create', crm.webhooks.create(ann, HOOK)],
    ['read', crm.webhooks.get(ann, webhook.id)],
    ['update', crm.webhooks.update(ann, webhook.id, { url: 'https://evil.example' })],
    ['delete', crm.webhooks.remove(ann, webhook.id)],
    ['read', crm.webhooks.deliveries(ann, webhook.id)],
    ['read', crm.webhooks.delivery(ann, webhook.id, deliveryId)],
    ['update', crm.webhooks.redeliver(ann, webhook.id, deliveryId)],
    ['update', crm.webhooks.test(ann, webhook.id)],
    ['update', crm.webhooks.takeOver(ann, webhook.id)],
  ]
  for (const [operation, call] of calls) expect(await catchRejection(call)).toEqual(denial(operation))
  expect(await crm.webhooks.get(olga, webhook.id)).toEqual(webhook)
})

test('a webhook of an app has no creator in its views, and its app decides who manages it', async () => {
  const { crm, ann } = await createTestCrm()
  const webhook = await crm.webhooks.create(ann, HOOK)
  expect(Object.keys(webhook)).toEqual(['id', 'url', 'events', 'auth_enable', 'created_at', 'updated_at'])
  expect(await catchRejection(crm.webhooks.takeOver(ann, webhook.id))).toMatchObject({ code: 'not_found' })
})

test.each(['removed', 'demoted'] as const)(
  'stops when its creator is %s, and goes on once an owner takes it over',
  async (change) => {
    const { crm, ports, olga, ada, webhook, deliveriesOf, setRole, ...base } = await withConsoleWebhook()
    const { userSession } = await signInTestUser({ ...base, crm }, OWNER.email)
    await crm.tasks.create(olga, { title: 'Before' })
    if (change === 'removed') await crm.operator.removeMember({ workspace: 'acme', email: ADA })
    else await setRole(ada.userId, 'member')
    await crm.tasks.create(olga, { title: 'After' })
    const requests = await crm
      .deliveryApi(POLICY)
      .claim({ maxPerQueue: 100, quota: ({ dueCount }) => dueCount })
    expect(requests).toEqual([])
    expect((await deliveriesOf()).map(({ status, reason }) => [status, reason])).toEqual([
      ['dropped', 'access_revoked'],
    ])

    const stopped = await crm.webhooks.get(olga, webhook.id)
    expect(stopped).toEqual({ ...webhook, stopped: true })
    expect((await crm.accounts.members(userSession, 'acme')).stopped_webhooks).toEqual([stopped])
    const [dropped] = (await crm.webhooks.deliveries(olga, webhook.id)).data
    const refusal = {
      code: 'conflict',
      fields: { id: expect.stringContaining('An owner can take it over.') },
    }
    expect(await catchRejection(crm.webhooks.redeliver(olga, webhook.id, dropped!.id))).toMatchObject(refusal)
    expect(await catchRejection(crm.webhooks.test(olga, webhook.id))).toMatchObject(refusal)

    const takenOver = await crm.webhooks.takeOver(olga, webhook.id)
    expect(takenOver).toMatchObject({ id: webhook.id, creator: { email: OWNER.email }, stopped: false })
    await crm.tasks.create(olga, { title: 'Heard' })
    expect((await deliveriesOf()).map(({ status }) => status)).toEqual(['dropped', 'pending'])
    expect((await crm.accounts.members(userSession, 'acme')).stopped_webhooks).toEqual([])
  },
)

test.each([
  ['its receiver', { url: 'https://ada-home.example/crm' }],
  ['its secret', { auth_enable: true }],
])('stops with the access of whoever changed %s', async (_, change) => {
  const { crm, olga, ada, deliveriesOf } = await withConsoleWebhook()
  const { id } = await crm.webhooks.create(olga, HOOK)
  expect(await crm.webhooks.update(ada, id, { events: ['task.created', 'task.deleted'] })).toMatchObject({
    creator: { email: OWNER.email },
  })
  expect(await crm.webhooks.update(ada, id, change)).toMatchObject({ creator: { email: ADA } })
  await crm.operator.removeMember({ workspace: 'acme', email: ADA })
  await crm.tasks.create(olga, { title: 'Unheard' })
  expect(await deliveriesOf()).toEqual([])
  expect(await crm.webhooks.get(olga, id)).toMatchObject({ stopped: true })
})

test('only an owner takes a webhook over', async () => {
  const { crm, ada, olga, webhook } = await withConsoleWebhook()
  expect(await catchRejection(crm.webhooks.takeOver(ada, webhook.id))).toEqual(denial('update'))
  expect(await catchRejection(crm.webhooks.takeOver(olga, 'x'))).toMatchObject({ code: 'not_found' })
  const again = await crm.webhooks.takeOver(olga, webhook.id)
  expect(await crm.webhooks.takeOver(olga, webhook.id)).toEqual(again)
})

test('a webhook whose creator is unknown is stopped', async () => {
  const { crm, ports, olga } = await withConsoleWebhook()
  const { id } = await insertWebhook(ports, olga.workspaceId, { client_id: CONSOLE_CLIENT_ID })
  expect(await crm.webhooks.get(olga, id)).toMatchObject({ creator: null, stopped: true })
})

test('the webhooks of an app go on after one of its members left, while another grant of the app lives', async () => {
  const { crm, ann, ben, storage } = await createTestCrm()
  const app = await crm.operator.createApp({
    name: 'App',
    email: 'app@acme.example',
    redirect_uris: ['https://app.example/back'],
    scopes: ['webhooks:manage', 'tasks:write'],
  })
  for (const user_email of ['ann@acme.example', 'ben@acme.example'])
    await crm.operator.createToken({ workspace: 'acme', client_id: app.client_id, user_email })
  const ofApp = { ...ann, clientId: app.client_id }
  await crm.webhooks.create(ofApp, HOOK)
  await crm.operator.removeMember({ workspace: 'acme', email: 'ann@acme.example' })
  await crm.tasks.create(ben, { title: 'Heard' })
  expect(await listDeliveries(storage, ben.workspaceId)).toHaveLength(1)
  await crm.operator.removeMember({ workspace: 'acme', email: 'ben@acme.example' })
  expect((await listDeliveries(storage, ben.workspaceId)).map(({ status }) => status)).toEqual(['dropped'])
})
