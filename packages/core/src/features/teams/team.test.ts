import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { createWebhookListener } from '../../../test/webhooks.ts'

test('a team is created, read, updated and deleted', async () => {
  const { crm, owner, admin, ann, ben, clock } = await createTestCrm()
  const members = [{ id: ann.userId.toUpperCase(), lead: true }, { id: ben.userId }]
  const team = await crm.teams.create(owner, { name: 'South', members })
  expect(team).toEqual({
    id: team.id,
    name: 'South',
    members: [
      { id: ann.userId, lead: true },
      { id: ben.userId, lead: false },
    ],
    created_at: NOON,
    updated_at: NOON,
  })
  clock.advance(60)
  const changed = await crm.teams.update(admin, team.id, { members: null as never })
  expect(changed).toEqual({ ...team, members: [], updated_at: '2026-03-01T12:01:00.000Z' })
  expect((await crm.teams.list(ann, { order_by: 'name' })).data).toEqual([changed])
  await crm.teams.remove(owner, team.id)
  expect(await catchRejection(crm.teams.get(owner, team.id))).toEqual({
    code: 'not_found',
    message: 'Team not found.',
  })
})

test('members read teams, and owners and admins change them', async () => {
  const { crm, owner, ann, otherOwner } = await createTestCrm()
  const team = await crm.teams.create(owner, { name: 'South', members: [{ id: ann.userId, lead: true }] })
  expect(await crm.teams.get(ann, team.id)).toEqual(team)
  const forbidden = { code: 'forbidden', message: expect.stringMatching(/^You do not have permission to /) }
  expect(await catchRejection(crm.teams.create(ann, { name: 'Mine' }))).toEqual(forbidden)
  expect(await catchRejection(crm.teams.update(ann, team.id, { name: 'Mine' }))).toEqual(forbidden)
  expect(await catchRejection(crm.teams.remove(ann, team.id))).toEqual(forbidden)
  expect(await catchRejection(crm.teams.get(otherOwner, team.id))).toMatchObject({ code: 'not_found' })
  const reader = { ...owner, scopes: new Set(['members:read']) }
  expect(await catchRejection(crm.teams.create(reader, { name: 'North' }))).toEqual({
    code: 'insufficient_scope',
    message: "This endpoint requires the 'members:manage' scope.",
  })
})

describe('the members of a team', () => {
  test('are current members of the workspace, each once', async () => {
    const { crm, storage, owner, ann, ben, otherOwner } = await createTestCrm()
    await crm.members.remove(owner, ben.userId)
    const invitation = { email: 'cleo@acme.example', role: 'member' } as const
    await crm.members.invite(owner, invitation, { language: 'en' })
    const [cleo] = await storage.read((tx) => tx.users.find([{ field: 'email', is: invitation.email }]))
    const ids = [ann.userId, ben.userId, otherOwner.userId, cleo!.id, UNKNOWN_ID]
    expect(
      await catchFieldErrors(crm.teams.create(owner, { name: 'South', members: ids.map((id) => ({ id })) })),
    ).toEqual(Object.fromEntries([1, 2, 3, 4].map((index) => [`members[${index}].id`, 'Member not found.'])))
    const twice = [{ id: ann.userId }, { id: ann.userId.toUpperCase(), lead: true }]
    expect(await catchFieldErrors(crm.teams.create(owner, { name: 'South', members: twice }))).toEqual({
      'members[1].id': 'Must not be the same as another one.',
    })
    const many = Array.from({ length: 501 }, () => ({ id: ann.userId }))
    expect(await catchFieldErrors(crm.teams.create(owner, { name: '', members: many }))).toEqual({
      name: 'Required.',
      members: 'Must have at most 500 members.',
    })
  })

  test('leave it with the workspace, and are on no team when they join again', async () => {
    const { crm, owner, ann, ben, newEvents } = await createWebhookListener()
    const members = [{ id: ann.userId, lead: true }, { id: ben.userId }]
    const south = await crm.teams.create(owner, { name: 'South', members })
    const north = await crm.teams.create(owner, { name: 'North', members: [{ id: ben.userId }] })
    await newEvents()
    await crm.members.remove(owner, ann.userId)
    const after = { ...south, members: [{ id: ben.userId, lead: false }] }
    expect(await crm.teams.get(owner, south.id)).toEqual(after)
    expect(await crm.teams.get(owner, north.id)).toEqual(north)
    expect(await newEvents()).toMatchObject([
      ['team.updated', { team: after }],
      ['member_removed', {}],
    ])
    await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
    expect(await crm.teams.get(owner, south.id)).toEqual(after)
    expect(await newEvents()).toMatchObject([['member_joined', {}]])
  })
})

test('a workspace has at most 200 teams of different names', async () => {
  const { crm, owner, otherOwner } = await createTestCrm()
  for (let nth = 0; nth < 200; nth += 1) await crm.teams.create(owner, { name: `Team ${nth}` })
  expect(await catchFieldErrors(crm.teams.create(owner, { name: 'One more' }))).toEqual({
    name: 'The workspace has 200 teams, which is as many as it can have.',
  })
  const [team] = (await crm.teams.list(owner)).data
  expect(await catchRejection(crm.teams.update(owner, team!.id, { name: 'Team 7' }))).toMatchObject({
    code: 'conflict',
    fields: { name: expect.any(String) },
  })
  expect(await crm.teams.create(otherOwner, { name: 'Team 7' })).toMatchObject({ name: 'Team 7' })
})

test('the records of a team are those that its present members own', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const { id: team_id } = await crm.teams.create(owner, { name: 'South', members: [{ id: ann.userId }] })
  const names: string[] = []
  for (const owner_user_id of [owner.userId, ann.userId, ben.userId, null])
    names.push((await crm.companies.create(owner, { full_name: 'Acme', owner_user_id })).id)
  const list = async (query: object) => (await crm.companies.list(owner, query)).data.map(({ id }) => id)
  expect(await list({ team_id: team_id.toUpperCase() })).toEqual([names[1]])
  expect(await list({ team_id, owner_email: 'ben@acme.example' })).toEqual([])
  await crm.teams.update(owner, team_id, { members: [{ id: ben.userId }] })
  expect(await list({ team_id })).toEqual([names[2]])
  await crm.teams.update(owner, team_id, { members: [] })
  expect([await list({ team_id }), await list({ team_id: UNKNOWN_ID })]).toEqual([[], []])
})
