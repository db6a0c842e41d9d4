import { expect, test } from 'vitest'
import { SCOPES } from './actor.ts'

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
