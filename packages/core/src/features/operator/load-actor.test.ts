import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { SCOPES } from '../../kernel/actor.ts'

describe('an actor', () => {
  test('has every scope unless fewer are requested', async () => {
    const { crm, owner, ann } = await createTestCrm()
    expect(owner).toEqual({
      workspaceId: owner.workspaceId,
      userId: owner.userId,
      role: 'owner',
      clientId: 'embedded',
      scopes: new Set(SCOPES),
    })
    const narrowActor = await crm.operator.actorFor({
      workspace: 'Acme',
      email: 'ANN@acme.example',
      scopes: ['tasks:read'],
      clientId: 'app',
    })
    expect(narrowActor).toEqual({ ...ann, clientId: 'app', scopes: new Set(['tasks:read']) })
  })

  test.each<[string, object, Readonly<Record<string, string>>]>([
    ['without an e-mail address', { workspace: 'acme' }, { email: 'Required.' }],
    [
      'with an unknown field',
      { workspace: 'acme', email: ANN.email, role: 'owner' },
      { role: 'Unknown field.' },
    ],
    [
      'with an unknown scope',
      { workspace: 'acme', email: ANN.email, scopes: ['person:read'] },
      { 'scopes[0]': expect.stringContaining('Unknown scope: "person:read".') as unknown as string },
    ],
  ])('is refused %s', async (_, input, fields) => {
    const { crm } = await createTestCrm()
    const error = await catchRejection(crm.operator.actorFor(input as never))
    expect(error).toEqual({ code: 'validation_error', message: expect.any(String), fields })
  })

  test('must be a current member', async () => {
    const { crm } = await createTestCrm()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    const notFound = { code: 'not_found', message: 'Member not found.' }
    expect(await catchRejection(crm.operator.actorFor({ workspace: 'acme', email: ANN.email }))).toEqual(
      notFound,
    )
    expect(
      await catchRejection(crm.operator.actorFor({ workspace: 'acme', email: 'sam@other.example' })),
    ).toEqual(notFound)
    expect(await catchRejection(crm.operator.actorFor({ workspace: 'nowhere', email: ANN.email }))).toEqual({
      code: 'not_found',
      message: 'Workspace not found.',
    })
  })
})
