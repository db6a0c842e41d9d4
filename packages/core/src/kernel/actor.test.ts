import { expect, test } from 'vitest'
import { UNKNOWN_ID } from '../../test/harness.ts'
import { requireScope, SCOPES } from './actor.ts'

test('lists the scopes', () => {
  expect(SCOPES).toEqual([
    'people:read',
    'people:write',
    'companies:read',
    'companies:write',
    'deals:read',
    'deals:write',
    'tasks:read',
    'tasks:write',
    'activities:read',
    'activities:write',
    'products:read',
    'products:write',
    'tags:read',
    'tags:write',
    'lists:read',
    'lists:write',
    'custom_fields:read',
    'custom_fields:write',
    'views:read',
    'views:write',
    'members:read',
    'members:manage',
    'webhooks:manage',
    'webhooks:read',
    'workspace:manage',
    'imports:read',
    'imports:write',
    'imports:manage',
  ])
})

test.each([undefined, null, { full_name: 'Ada' }, { scopes: ['people:read'] }])(
  'refuses what is not an actor: %j',
  (value) => {
    expect(() => requireScope(value as never, 'people:read')).toThrow(
      new TypeError('The first argument must be an actor, as crm.operator.actorFor returns it.'),
    )
  },
)

test('accepts either of two scopes, and names the first one in the error', () => {
  const actor = (...scopes: string[]) =>
    ({
      workspaceId: UNKNOWN_ID,
      userId: UNKNOWN_ID,
      role: 'owner',
      clientId: 'embedded',
      scopes: new Set(scopes),
    }) as const
  expect(() => requireScope(actor('webhooks:manage'), 'webhooks:manage', 'webhooks:read')).not.toThrow()
  expect(() => requireScope(actor('webhooks:read'), 'webhooks:manage', 'webhooks:read')).not.toThrow()
  expect(() => requireScope(actor('webhooks:read'), 'webhooks:manage')).toThrow(
    "This endpoint requires the 'webhooks:manage' scope.",
  )
  expect(() => requireScope(actor('people:read'), 'webhooks:manage', 'webhooks:read')).toThrow(
    "This endpoint requires the 'webhooks:manage' scope.",
  )
})
