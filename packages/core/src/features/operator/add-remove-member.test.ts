import { describe, expect, test } from 'vitest'
import { ANN, catchFieldErrors, catchRejection, createTestCrm, NOON, OWNER } from '../../../test/harness.ts'

const CONFLICT_MESSAGE = 'A record with this value already exists.'

describe('adding a member', () => {
  test('creates an account, or uses an existing one', async () => {
    const { crm, otherOwner } = await createTestCrm()
    const cleo = await crm.operator.addMember({
      workspace: 'ACME',
      name: 'Cleo',
      email: 'Cleo@Acme.example',
      role: 'admin',
      password: 'long enough',
    })
    expect(cleo).toEqual({ id: cleo.id, name: 'Cleo', email: 'cleo@acme.example', role: 'admin' })
    const sam = await crm.operator.addMember({
      workspace: 'acme',
      name: 'Samuel',
      email: 'sam@other.example',
      role: 'member',
    })
    expect(sam).toEqual({ id: otherOwner.userId, name: 'Sam', email: 'sam@other.example', role: 'member' })
  })

  test('who is a current member is rejected', async () => {
    const { crm } = await createTestCrm()
    const call = crm.operator.addMember({
      workspace: 'acme',
      name: 'Ann',
      email: 'ANN@acme.example',
      role: 'admin',
    })
    expect(await catchRejection(call)).toEqual({
      code: 'conflict',
      message: CONFLICT_MESSAGE,
      fields: { email: CONFLICT_MESSAGE },
    })
  })

  test('to an unknown workspace or with an unknown role is rejected', async () => {
    const { crm } = await createTestCrm()
    const cleo = { workspace: 'nowhere', name: 'Cleo', email: 'cleo@acme.example', role: 'member' } as const
    expect(await catchRejection(crm.operator.addMember(cleo))).toEqual({
      code: 'not_found',
      message: 'Workspace not found.',
    })
    expect(await catchFieldErrors(crm.operator.addMember({ ...cleo, role: 'root' as never }))).toEqual({
      role: 'Must be one of: owner, admin, member.',
    })
  })

  test('who was removed restores the records they owned, with the new role', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const task = await crm.tasks.create(owner, { title: 'A', owner_email: ANN.email })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    const member = await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'admin' })
    expect(member).toEqual({ id: ann.userId, ...ANN, role: 'admin' })
    expect(await crm.tasks.get(owner, task.id)).toEqual(task)
    expect((await crm.operator.actorFor({ workspace: 'acme', email: ANN.email })).role).toBe('admin')
  })
})

describe('removing a member', () => {
  test('revokes their grants in this workspace and no others', async () => {
    const { crm, storage, clock, owner, ann, otherOwner } = await createTestCrm()
    await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
    const app = await crm.operator.createApp({
      name: 'App',
      email: 'a@b.co',
      redirect_uris: ['https://a.co/'],
      scopes: ['tasks:read'],
    })
    for (const [workspace, user_email] of [
      ['acme', ANN.email],
      ['acme', OWNER.email],
      ['other', ANN.email],
    ] as const) {
      await crm.operator.createToken({ workspace, client_id: app.client_id, user_email })
    }
    clock.advance(60)
    expect(await crm.operator.removeMember({ workspace: 'acme', email: 'ANN@acme.example' })).toEqual({
      id: ann.userId,
      ...ANN,
      role: 'member',
    })
    const grants = (workspaceId: string) => storage.read((tx) => tx.workspace(workspaceId).grants.find([]))
    const at = '2026-03-01T12:01:00.000Z'
    expect(
      (await grants(owner.workspaceId)).map(({ user_id, revoked_at, updated_at }) => ({
        user_id,
        revoked_at,
        updated_at,
      })),
    ).toEqual([
      { user_id: ann.userId, revoked_at: at, updated_at: at },
      { user_id: owner.userId, revoked_at: null, updated_at: NOON },
    ])
    expect((await grants(otherOwner.workspaceId)).map(({ revoked_at }) => revoked_at)).toEqual([null])
  })

  test('who is the last owner is rejected', async () => {
    const { crm } = await createTestCrm()
    expect(
      await catchFieldErrors(crm.operator.removeMember({ workspace: 'acme', email: OWNER.email })),
    ).toEqual({
      email: 'Must not be the last owner of the workspace.',
    })
    await crm.operator.addMember({
      workspace: 'acme',
      name: 'Sam',
      email: 'sam@other.example',
      role: 'owner',
    })
    await crm.operator.removeMember({ workspace: 'acme', email: OWNER.email })
    expect(
      await catchFieldErrors(crm.operator.removeMember({ workspace: 'acme', email: 'sam@other.example' })),
    ).toHaveProperty('email')
  })

  test('who is unknown or removed is rejected', async () => {
    const { crm } = await createTestCrm()
    const notFound = { code: 'not_found', message: 'Member not found.' }
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    for (const email of [ANN.email, 'sam@other.example', 'nobody@acme.example']) {
      expect(await catchRejection(crm.operator.removeMember({ workspace: 'acme', email }))).toEqual(notFound)
    }
  })
})
