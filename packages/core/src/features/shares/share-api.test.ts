import { describe, expect, test } from 'vitest'
import { ANN, catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

/** A workspace where members see what they own, with a company of Ann. */
async function withCompany(rule: 'everyone' | 'team' | 'owner' = 'owner') {
  const base = await createTestCrm()
  const { crm, owner, ann } = base
  await crm.workspace.update(owner, { visibility: { companies: rule } })
  const { id } = await crm.companies.create(ann, { full_name: 'Acme', owner_user_id: ann.userId })
  const share = (shares: readonly object[], actor = ann) =>
    crm.companies.setShares(actor, id, { shares } as never)
  return { ...base, id, share }
}

const NOT_FOUND = { code: 'not_found', message: 'Company not found.' }

describe('a share', () => {
  test('shows the record, in lists and alone, until it ends', async () => {
    const { crm, owner, ben, id, share } = await withCompany()
    const total = async () => (await crm.companies.list(ben)).meta.total
    expect(await catchRejection(crm.companies.get(ben, id))).toEqual(NOT_FOUND)
    const shares = [{ member_id: ben.userId, access: 'read' }]
    expect(await share(shares)).toEqual(shares)
    expect((await crm.companies.get(ben, id)).shared_with).toEqual(shares)
    expect([await total(), await crm.companies.shares(owner, id)]).toEqual([1, shares])
    await share([])
    expect([await total(), await catchRejection(crm.companies.get(ben, id))]).toEqual([0, NOT_FOUND])
  })

  test('with a team is with its members, and ends with the team or the membership', async () => {
    const { crm, owner, ben, id, share } = await withCompany()
    const team = await crm.teams.create(owner, { name: 'South', members: [{ id: ben.userId }] })
    await share([{ team_id: team.id, access: 'read' }])
    expect(await crm.companies.get(ben, id)).toMatchObject({ id })
    await crm.teams.update(owner, team.id, { members: [] })
    expect(await catchRejection(crm.companies.get(ben, id))).toEqual(NOT_FOUND)
    await crm.teams.update(owner, team.id, { members: [{ id: ben.userId }] })
    await crm.teams.remove(owner, team.id)
    expect(await catchRejection(crm.companies.get(ben, id))).toEqual(NOT_FOUND)
    expect(await crm.companies.shares(owner, id)).toEqual([])
  })

  test('with a member does not come back when they join again', async () => {
    const { crm, owner, ann, clock } = await withCompany()
    const { id } = await crm.companies.create(owner, { full_name: 'Ours', owner_user_id: owner.userId })
    await crm.companies.setShares(owner, id, { shares: [{ member_id: ann.userId, access: 'write' }] })
    await crm.members.remove(owner, ann.userId)
    clock.advance(60)
    await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
    expect(await catchRejection(crm.companies.get(ann, id))).toEqual(NOT_FOUND)
    expect(await crm.companies.shares(owner, id)).toEqual([])
  })

  test('with read access changes nothing, with write access fields and links', async () => {
    const { crm, ann, ben, id, share } = await withCompany()
    const forbidden = (operation: string) => ({
      code: 'forbidden',
      message: `You do not have permission to ${operation} this company.`,
    })
    await share([{ member_id: ben.userId, access: 'read' }])
    expect(await catchRejection(crm.companies.update(ben, id, { full_name: 'B' }))).toEqual(
      forbidden('update'),
    )
    await share([{ member_id: ben.userId, access: 'write' }])
    const renamed = await crm.companies.update(ben, id, { full_name: 'B', owner_user_id: ann.userId })
    expect(renamed.full_name).toBe('B')
    for (const owner_user_id of [ben.userId, null])
      expect(await catchRejection(crm.companies.update(ben, id, { owner_user_id }))).toMatchObject({
        ...forbidden('update'),
        fields: { owner_user_id: expect.stringMatching(/share/) },
      })
    expect(await catchRejection(crm.companies.remove(ben, id))).toEqual(forbidden('delete'))
    expect(await catchRejection(share([], ben))).toEqual(forbidden('update'))
  })

  test('has no effect where everyone sees the records', async () => {
    const { crm, ben, id, share } = await withCompany('everyone')
    await share([{ member_id: ben.userId, access: 'write' }])
    expect(await crm.companies.get(ben, id)).toMatchObject({ id })
    expect(await catchRejection(crm.companies.update(ben, id, { full_name: 'B' }))).toMatchObject({
      code: 'forbidden',
    })
  })

  test('names one member or team of the workspace, once, and not the caller', async () => {
    const { crm, owner, ann, ben, otherOwner, id, share } = await withCompany()
    const theirs = await crm.teams.create(otherOwner, { name: 'Theirs' })
    await crm.members.remove(owner, ben.userId)
    const access = 'read'
    expect(
      await catchFieldErrors(
        share([
          { member_id: owner.userId, access },
          { member_id: owner.userId.toUpperCase(), access: 'write' },
          { member_id: ann.userId, access },
          { member_id: ben.userId, access },
          { member_id: otherOwner.userId, access },
          { team_id: theirs.id, access },
          { team_id: UNKNOWN_ID, member_id: ann.userId, access },
          { access },
        ]),
      ),
    ).toEqual({
      'shares[1].member_id': 'Must not be the same as another one.',
      'shares[2].member_id': 'Must be another member.',
      'shares[3].member_id': 'Member not found.',
      'shares[4].member_id': 'Member not found.',
      'shares[5].team_id': 'Team not found.',
      'shares[6].team_id': 'Must not be sent together with member_id.',
      'shares[7].member_id': 'One of member_id and team_id is required.',
    })
    const many = Array.from({ length: 51 }, () => ({ member_id: owner.userId, access }))
    expect(await catchFieldErrors(share(many))).toEqual({ shares: 'Must have at most 50 shares.' })
    expect(await crm.companies.shares(ann, id)).toEqual([])
  })
})

test('whoever has a share keeps it when sharing further', async () => {
  const { crm, owner, ann, ben, id, share } = await withCompany()
  const mine = { member_id: owner.userId, access: 'read' as const }
  const shares = [mine, { member_id: ben.userId, access: 'read' as const }]
  await share([mine])
  expect(await share(shares, owner)).toEqual(shares)
  expect(await catchFieldErrors(share([{ member_id: ann.userId, access: 'read' }], ann))).toEqual({
    'shares[0].member_id': 'Must be another member.',
  })
  expect(await crm.companies.shares(owner, id)).toEqual(shares)
})

describe('who sees a record', () => {
  test('is told to those who do, with the reasons', async () => {
    const { crm, owner, admin, ann, ben, id, share } = await withCompany()
    expect(await catchRejection(crm.companies.viewers(ben, id))).toEqual(NOT_FOUND)
    const { id: team_id } = await crm.teams.create(owner, {
      name: 'South',
      members: [{ id: ben.userId, lead: true }, { id: ann.userId }],
    })
    await share([{ member_id: ben.userId, access: 'read' }])
    expect(await crm.companies.viewers(ben, id)).toEqual([
      { member_id: ann.userId, reason: 'owner', team_id: null, access: 'write' },
      { member_id: owner.userId, reason: 'workspace_owner', team_id: null, access: 'write' },
      { member_id: admin.userId, reason: 'admin', team_id: null, access: 'write' },
      { member_id: ben.userId, reason: 'lead', team_id, access: 'write' },
    ])
    await crm.members.remove(owner, ben.userId)
    expect((await crm.companies.viewers(ann, id)).map(({ reason }) => reason)).toEqual([
      'owner',
      'workspace_owner',
      'admin',
    ])
  })

  test('of a task names the owner of a linked record only to those who see that record', async () => {
    const { crm, owner, ann, ben, id } = await withCompany()
    await crm.workspace.update(owner, { visibility: { tasks: 'owner' } })
    const task = await crm.tasks.create(ann, { title: 'Call', company_id: id, owner_user_id: ann.userId })
    await crm.tasks.update(owner, task.id, { owner_user_id: ben.userId })
    const reasonOfAnn = async (actor: typeof ann) =>
      (await crm.tasks.viewers(actor, task.id)).find(({ member_id }) => member_id === ann.userId)?.reason
    expect(await reasonOfAnn(owner)).toBe('linked_record')
    expect(await reasonOfAnn(ben)).toBeUndefined()
  })
})

describe('a lead', () => {
  test('changes the records of the team, gives them to its members, and deletes none', async () => {
    const { crm, owner, admin, ann, ben, id } = await withCompany()
    const members = [{ id: ben.userId, lead: true }, { id: ann.userId }]
    await crm.teams.create(owner, { name: 'South', members })
    expect((await crm.companies.update(ben, id, { full_name: 'B' })).full_name).toBe('B')
    expect(await catchRejection(crm.companies.remove(ben, id))).toMatchObject({ code: 'forbidden' })
    for (const owner_user_id of [admin.userId, null])
      expect(await catchRejection(crm.companies.update(ben, id, { owner_user_id }))).toMatchObject({
        fields: { owner_user_id: 'A lead of a team may set only a member of the team as the owner.' },
      })
    const taken = await crm.companies.update(ben, id, { owner_user_id: ben.userId })
    expect(taken.owner?.id).toBe(ben.userId)
    expect((await crm.companies.update(ben, id, { owner_user_id: ann.userId })).owner?.id).toBe(ann.userId)
  })

  test('sees and hands over what a removed member of the team has left', async () => {
    const { crm, owner, ann, ben, id } = await withCompany()
    const members = [{ id: ben.userId, lead: true }, { id: ann.userId }]
    await crm.teams.create(owner, { name: 'South', members })
    await crm.members.remove(owner, ann.userId)
    expect((await crm.companies.list(ben)).meta.total).toBe(1)
    expect((await crm.companies.update(ben, id, { owner_user_id: ben.userId })).owner?.id).toBe(ben.userId)
  })
})

test('what a removed member has left does not fall open', async () => {
  const { crm, owner, ann, ben, id } = await withCompany('team')
  const members = [{ id: ben.userId }, { id: ann.userId }]
  await crm.teams.create(owner, { name: 'South', members })
  expect(await crm.companies.get(ben, id)).toMatchObject({ id })
  await crm.members.remove(owner, ann.userId)
  expect(await catchRejection(crm.companies.get(ben, id))).toEqual(NOT_FOUND)
  expect((await crm.companies.get(owner, id)).owner).toBeNull()
})
