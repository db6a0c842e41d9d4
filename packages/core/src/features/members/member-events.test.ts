import { describe, expect, test } from 'vitest'
import { ORIGIN, readMailedToken, runTwenty, signInTestUser } from '../../../test/accounts.ts'
import { ANN, catchRejection, NOON, OWNER } from '../../../test/harness.ts'
import { createWebhookListener, insertWebhook, listDeliveries, listEvents } from '../../../test/webhooks.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const CLEO = { email: 'cleo@new.example', role: 'admin' }
const NEW_USER = { name: 'Cleo New', password: 'battery staple' }

async function withOwner() {
  const base = await createWebhookListener()
  const { userSession: olga } = await signInTestUser(base, OWNER.email)
  base.clock.set(LATER)
  const findUserId = async (email: string) => {
    const [user] = await base.storage.read((tx) => tx.users.find([{ field: 'email', is: email }]))
    return user!.id
  }
  return { ...base, accounts: base.crm.accounts, olga, findUserId }
}

describe('an invitation', () => {
  test('emits the invited user, the role and the time', async () => {
    const { accounts, olga, findUserId, newEvents } = await withOwner()
    await accounts.invite(olga, 'acme', CLEO, ORIGIN)
    const member = {
      id: await findUserId(CLEO.email),
      name: 'cleo',
      email: CLEO.email,
      role: 'admin',
      created_at: LATER,
    }
    expect(await newEvents()).toEqual([['member_invited', { member }]])
  })

  test('of an existing user does not reveal their name', async () => {
    const { accounts, olga, otherOwner, newEvents } = await withOwner()
    await accounts.invite(olga, 'acme', { email: 'sam@other.example', role: 'member' }, ORIGIN)
    expect(await newEvents()).toMatchObject([
      ['member_invited', { member: { id: otherOwner.userId, name: 'sam' } }],
    ])
  })

  test('emits an event when it is created, but not when it is withdrawn or rejected', async () => {
    const { accounts, crm, olga, newEvents } = await withOwner()
    await accounts.invite(olga, 'acme', CLEO, ORIGIN)
    const { id } = await accounts.invite(olga, 'acme', { ...CLEO, role: 'member' }, ORIGIN)
    expect(await newEvents()).toMatchObject([
      ['member_invited', { member: { role: 'admin' } }],
      ['member_invited', { member: { role: 'member' } }],
    ])
    await accounts.withdrawInvitation(olga, 'acme', id)
    await catchRejection(accounts.invite(olga, 'acme', { email: ANN.email, role: 'member' }, ORIGIN))
    expect(await newEvents()).toEqual([])
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await newEvents()
    await accounts.invite(olga, 'acme', { email: ANN.email, role: 'owner' }, ORIGIN)
    expect(await newEvents()).toMatchObject([['member_invited', { member: { ...ANN, role: 'owner' } }]])
  })

  test('accepted twenty times concurrently emits one member_joined, with the new name', async () => {
    const base = await withOwner()
    const { accounts, olga, findUserId, newEvents } = base
    await accounts.invite(olga, 'acme', CLEO, ORIGIN)
    const link = await readMailedToken(base)
    await newEvents()
    await runTwenty(() => accounts.acceptInvitation(link, NEW_USER))
    const member = {
      id: await findUserId(CLEO.email),
      name: 'Cleo New',
      email: CLEO.email,
      role: 'admin',
      created_at: LATER,
    }
    expect(await newEvents()).toEqual([['member_joined', { member }]])
  })

  test('accepted by a current member emits nothing', async () => {
    const base = await withOwner()
    const { accounts, crm, olga, newEventNames } = base
    await accounts.invite(olga, 'acme', CLEO, ORIGIN)
    const link = await readMailedToken(base)
    await crm.operator.addMember({ workspace: 'acme', name: 'Cleo', email: CLEO.email, role: 'member' })
    expect(await newEventNames()).toEqual(['member_invited', 'member_joined'])
    await accounts.acceptInvitation(link, NEW_USER)
    expect(await newEventNames()).toEqual([])
  })
})

test('adding a member as operator emits member_joined, also after a removal', async () => {
  const { crm, ann, otherOwner, newEvents } = await withOwner()
  const add = (name: string, email: string) =>
    crm.operator.addMember({ workspace: 'acme', name, email, role: 'member' })
  await add('Samuel', 'sam@other.example')
  const sam = {
    id: otherOwner.userId,
    name: 'Sam',
    email: 'sam@other.example',
    role: 'member',
    created_at: LATER,
  }
  expect(await newEvents()).toEqual([['member_joined', { member: sam }]])
  await catchRejection(add('Sam', 'sam@other.example'))
  expect(await newEvents()).toEqual([])
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  await add('Ann', ANN.email)
  expect(await newEvents()).toEqual([
    ['member_removed', { member: { id: ann.userId, ...ANN, role: 'member', created_at: NOON } }],
    ['member_joined', { member: { id: ann.userId, ...ANN, role: 'member', created_at: LATER } }],
  ])
})

test('a removal emits the removed member, and a rejected removal emits nothing', async () => {
  const { accounts, crm, owner, ann, olga, newEvents } = await withOwner()
  await catchRejection(accounts.removeMember(olga, 'acme', owner.userId))
  await catchRejection(crm.operator.removeMember({ workspace: 'acme', email: OWNER.email }))
  expect(await newEvents()).toEqual([])
  await Promise.allSettled(Array.from({ length: 20 }, () => accounts.removeMember(olga, 'acme', ann.userId)))
  expect(await newEvents()).toEqual([
    ['member_removed', { member: { id: ann.userId, ...ANN, role: 'member', created_at: NOON } }],
  ])
})

test('member events are emitted in the workspace of the member', async () => {
  const { crm, ports, storage, otherOwner, newEvents } = await withOwner()
  await insertWebhook(ports, otherOwner.workspaceId, { events: ['member_joined'] })
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'admin' })
  expect(await newEvents()).toEqual([])
  expect(await listEvents(storage, otherOwner.workspaceId)).toMatchObject([
    ['member_joined', { member: { ...ANN, role: 'admin' } }],
  ])
})

test('an app that loses its last grant with a member is not sent member_removed', async () => {
  const { crm, ports, storage, owner, newEvents } = await withOwner()
  const app = {
    name: 'Sync',
    email: 'sync@app.example',
    redirect_uris: ['https://app.example/cb'],
    scopes: ['members:read'],
  }
  const { client_id } = await crm.operator.createApp(app)
  await crm.operator.createToken({ workspace: 'acme', client_id, user_email: ANN.email })
  const { id } = await insertWebhook(ports, owner.workspaceId, { client_id })
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect((await newEvents()).map(([event]) => event)).toEqual(['member_removed'])
  expect(
    (await listDeliveries(storage, owner.workspaceId)).filter(({ webhook_id }) => webhook_id === id),
  ).toEqual([])
})
