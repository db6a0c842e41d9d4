import { expect, test } from 'vitest'
import { NOBODY } from '../test/harness.ts'
import { authorize, SCOPES } from './actor.ts'

test('these are the scopes', () => {
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
    'members:read',
    'webhooks:manage',
    'webhooks:read',
  ])
})

test('what two scopes open is open to either, and a refusal names the first', () => {
  const actor = (...scopes: string[]) =>
    ({ workspaceId: NOBODY, userId: NOBODY, role: 'owner', clientId: 'embedded', scopes: new Set(scopes) }) as const
  expect(() => authorize(actor('webhooks:manage'), 'webhooks:manage', 'webhooks:read')).not.toThrow()
  expect(() => authorize(actor('webhooks:read'), 'webhooks:manage', 'webhooks:read')).not.toThrow()
  expect(() => authorize(actor('webhooks:read'), 'webhooks:manage')).toThrow("This endpoint requires the 'webhooks:manage' scope.")
  expect(() => authorize(actor('people:read'), 'webhooks:manage', 'webhooks:read')).toThrow(
    "This endpoint requires the 'webhooks:manage' scope.",
  )
})
