import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { SCOPES } from '../../kernel/actor.ts'

describe('an actor', () => {
  test('has every scope unless fewer are named', async () => {
    const { crm, owner, ann } = await createTestCrm()
    expect(owner).toEqual({
      workspaceId: owner.workspaceId,
      userId: owner.userId,
      role: 'owner',
      clientId: 'embedded',
      scopes: new Set(SCOPES),
    })
    const fewer = await crm.operator.actorFor({
      workspace: 'Acme',
      email: 'ANN@acme.example',
      scopes: ['tasks:read'],
      clientId: 'app',
    })
    expect(fewer).toEqual({ ...ann, clientId: 'app', scopes: new Set(['tasks:read']) })
  })

  test('is a member', async () => {
    const { crm } = await createTestCrm()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    const missing = { code: 'not_found', message: 'Member not found.' }
    expect(await catchRejection(crm.operator.actorFor({ workspace: 'acme', email: ANN.email }))).toEqual(
      missing,
    )
    expect(
      await catchRejection(crm.operator.actorFor({ workspace: 'acme', email: 'sam@other.example' })),
    ).toEqual(missing)
    expect(await catchRejection(crm.operator.actorFor({ workspace: 'nowhere', email: ANN.email }))).toEqual({
      code: 'not_found',
      message: 'Workspace not found.',
    })
  })
})
