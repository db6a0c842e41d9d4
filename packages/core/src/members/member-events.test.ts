import { describe, expect, test } from 'vitest'
import { HERE, linkFrom, signedIn, twenty } from '../../test/accounts.ts'
import { ANN, NOON, OWNER, refusalOf } from '../../test/harness.ts'
import { addWebhook, deliveriesIn, hearing, toldIn } from '../../test/webhooks.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const CLEO = { email: 'cleo@new.example', role: 'admin' }
const NEWCOMER = { name: 'Cleo New', password: 'battery staple' }

async function withOwner() {
  const base = await hearing()
  const { visitor: olga } = await signedIn(base, OWNER.email)
  base.clock.set(LATER)
  const userOf = async (email: string) => {
    const [user] = await base.storage.read((tx) => tx.users.find([{ field: 'email', is: email }]))
    return user!.id
  }
  return { ...base, accounts: base.crm.accounts, olga, userOf }
}

describe('an invitation', () => {
  test('is told with who is invited, as what, and when', async () => {
    const { accounts, olga, userOf, told } = await withOwner()
    await accounts.invite(olga, 'acme', CLEO, HERE)
    const member = { id: await userOf(CLEO.email), name: 'cleo', email: CLEO.email, role: 'admin', created_at: LATER }
    expect(await told()).toEqual([['member_invited', { member }]])
  })

  test('of somebody who has an account elsewhere does not tell what they call themselves there', async () => {
    const { accounts, olga, stranger, told } = await withOwner()
    await accounts.invite(olga, 'acme', { email: 'sam@other.example', role: 'member' }, HERE)
    expect(await told()).toMatchObject([['member_invited', { member: { id: stranger.userId, name: 'sam' } }]])
  })

  test('is told each time it is made, also to someone who had left, and not when it is withdrawn or refused', async () => {
    const { accounts, crm, olga, told } = await withOwner()
    await accounts.invite(olga, 'acme', CLEO, HERE)
    const { id } = await accounts.invite(olga, 'acme', { ...CLEO, role: 'member' }, HERE)
    expect(await told()).toMatchObject([
      ['member_invited', { member: { role: 'admin' } }],
      ['member_invited', { member: { role: 'member' } }],
    ])
    await accounts.withdrawInvitation(olga, 'acme', id)
    await refusalOf(accounts.invite(olga, 'acme', { email: ANN.email, role: 'member' }, HERE))
    expect(await told()).toEqual([])
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await told()
    await accounts.invite(olga, 'acme', { email: ANN.email, role: 'owner' }, HERE)
    expect(await told()).toMatchObject([['member_invited', { member: { ...ANN, role: 'owner' } }]])
  })

  test('that twenty accept at the same time makes one member, with the name it chose', async () => {
    const base = await withOwner()
    const { accounts, olga, userOf, told } = base
    await accounts.invite(olga, 'acme', CLEO, HERE)
    const link = await linkFrom(base)
    await told()
    await twenty(() => accounts.acceptInvitation(link, NEWCOMER))
    const member = { id: await userOf(CLEO.email), name: 'Cleo New', email: CLEO.email, role: 'admin', created_at: LATER }
    expect(await told()).toEqual([['member_joined', { member }]])
  })

  test('to somebody who is a member by then tells nothing', async () => {
    const base = await withOwner()
    const { accounts, crm, olga, names } = base
    await accounts.invite(olga, 'acme', CLEO, HERE)
    const link = await linkFrom(base)
    await crm.operator.addMember({ workspace: 'acme', name: 'Cleo', email: CLEO.email, role: 'member' })
    expect(await names()).toEqual(['member_invited', 'member_joined'])
    await accounts.acceptInvitation(link, NEWCOMER)
    expect(await names()).toEqual([])
  })
})

test('who is added by the operator joins, and joins again after having left', async () => {
  const { crm, ann, stranger, told } = await withOwner()
  const add = (name: string, email: string) => crm.operator.addMember({ workspace: 'acme', name, email, role: 'member' })
  await add('Samuel', 'sam@other.example')
  const sam = { id: stranger.userId, name: 'Sam', email: 'sam@other.example', role: 'member', created_at: LATER }
  expect(await told()).toEqual([['member_joined', { member: sam }]])
  await refusalOf(add('Sam', 'sam@other.example'))
  expect(await told()).toEqual([])
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  await add('Ann', ANN.email)
  expect(await told()).toEqual([
    ['member_removed', { member: { id: ann.userId, ...ANN, role: 'member', created_at: NOON } }],
    ['member_joined', { member: { id: ann.userId, ...ANN, role: 'member', created_at: LATER } }],
  ])
})

test('who is removed by the team is told of as the member it was; who may not be is not', async () => {
  const { accounts, crm, owner, ann, olga, told } = await withOwner()
  await refusalOf(accounts.removeMember(olga, 'acme', owner.userId))
  await refusalOf(crm.operator.removeMember({ workspace: 'acme', email: OWNER.email }))
  expect(await told()).toEqual([])
  await Promise.allSettled(Array.from({ length: 20 }, () => accounts.removeMember(olga, 'acme', ann.userId)))
  expect(await told()).toEqual([['member_removed', { member: { id: ann.userId, ...ANN, role: 'member', created_at: NOON } }]])
})

test('members of another workspace are told of there', async () => {
  const { crm, ports, storage, stranger, told } = await withOwner()
  await addWebhook(ports, stranger.workspaceId, { events: ['member_joined'] })
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'admin' })
  expect(await told()).toEqual([])
  expect(await toldIn(storage, stranger.workspaceId)).toMatchObject([['member_joined', { member: { ...ANN, role: 'admin' } }]])
})

test('an app that loses its last grant with a member does not hear that the member left', async () => {
  const { crm, ports, storage, owner, told } = await withOwner()
  const app = { name: 'Sync', email: 'sync@app.example', redirect_uris: ['https://app.example/cb'], scopes: ['members:read'] }
  const { client_id } = await crm.operator.createApp(app)
  await crm.operator.createToken({ workspace: 'acme', client_id, user_email: ANN.email })
  const { id } = await addWebhook(ports, owner.workspaceId, { client_id })
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect((await told()).map(([event]) => event)).toEqual(['member_removed'])
  expect((await deliveriesIn(storage, owner.workspaceId)).filter(({ webhook_id }) => webhook_id === id)).toEqual([])
})
