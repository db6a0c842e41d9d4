import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../test/harness.ts'
import type { Actor } from './actor.ts'
import type { Collection } from './collections.ts'
import { MEMBER_PERMISSIONS, type Operation, requirePermission } from './permissions.ts'

const ME = 'me'
const OWNERS = { own: ME, "another's": 'another', "nobody's": null }
const NEW_OWNERS = {
  'no owner sent': undefined,
  'owned by itself': ME,
  'owned by another': 'another',
  'owned by nobody': null,
}
const RECORDS = ['people', 'companies', 'deals', 'tasks', 'activities'] as const
const SHARED = ['tags', 'lists'] as const
const SETTINGS = ['products', 'custom_fields', 'pipelines', 'task_types'] as const

function as(role: Actor['role']): Actor {
  return { workspaceId: 'w', userId: ME, role, clientId: 'c', scopes: new Set() }
}

async function outcome(
  role: Actor['role'],
  operation: Operation,
  collection: Collection,
  owner: string | null | undefined,
  newOwner: string | null | undefined,
) {
  const before = owner === undefined ? undefined : { owner_user_id: owner }
  const fields = newOwner === undefined ? {} : { owner_user_id: newOwner }
  try {
    requirePermission(as(role), operation, { collection, label: 'Task type' }, before, fields)
    return 'allowed'
  } catch (error) {
    return catchRejection(Promise.reject(error))
  }
}

function denial(operation: Operation) {
  return {
    code: 'forbidden',
    message: `You do not have permission to ${operation} this task type.`,
  }
}

test('every kind has its rule', () => {
  expect(Object.keys(MEMBER_PERMISSIONS)).toEqual([...RECORDS, ...SHARED, ...SETTINGS])
})

describe.each(['owner', 'admin'] as const)('the workspace %s', (role) => {
  test.each([...RECORDS, ...SHARED, ...SETTINGS])('may do everything to a %s', async (collection) => {
    const outcomes = new Set<unknown>()
    for (const newOwner of Object.values(NEW_OWNERS)) {
      outcomes.add(await outcome(role, 'create', collection, undefined, newOwner))
      for (const owner of Object.values(OWNERS)) {
        outcomes.add(await outcome(role, 'update', collection, owner, newOwner))
        outcomes.add(await outcome(role, 'delete', collection, owner, undefined))
      }
    }
    expect([...outcomes]).toEqual(['allowed'])
  })
})

describe.each(RECORDS)('a member and a %s', (collection) => {
  test.each([
    ['no owner sent', true],
    ['owned by itself', true],
    ['owned by another', false],
    ['owned by nobody', true],
  ] as const)('created %s', async (owned, may) => {
    expect(await outcome('member', 'create', collection, undefined, NEW_OWNERS[owned])).toEqual(
      may ? 'allowed' : denial('create'),
    )
  })

  test.each([
    ['own', 'no owner sent', true],
    ['own', 'owned by itself', true],
    ['own', 'owned by another', false],
    ['own', 'owned by nobody', true],
    ["another's", 'no owner sent', false],
    ["another's", 'owned by itself', false],
    ["another's", 'owned by another', false],
    ["another's", 'owned by nobody', false],
    ["nobody's", 'no owner sent', true],
    ["nobody's", 'owned by itself', true],
    ["nobody's", 'owned by another', false],
    ["nobody's", 'owned by nobody', true],
  ] as const)('%s, updated, %s', async (whose, owned, may) => {
    expect(await outcome('member', 'update', collection, OWNERS[whose], NEW_OWNERS[owned])).toEqual(
      may ? 'allowed' : denial('update'),
    )
  })

  test.each([
    ['own', true],
    ["another's", false],
    ["nobody's", true],
  ] as const)('%s, deleted', async (whose, may) => {
    expect(await outcome('member', 'delete', collection, OWNERS[whose], undefined)).toEqual(
      may ? 'allowed' : denial('delete'),
    )
  })
})

test.each(
  SETTINGS.flatMap((collection) =>
    (['create', 'update', 'delete'] as const).map((operation) => [operation, collection] as const),
  ),
)('a member may not %s a %s', async (operation, collection) => {
  const before = operation === 'create' ? undefined : null
  expect(await outcome('member', operation, collection, before, undefined)).toEqual(denial(operation))
})

test.each(SHARED)('a member may create and update a %s, and not delete it', async (collection) => {
  expect(await outcome('member', 'create', collection, undefined, undefined)).toBe('allowed')
  expect(await outcome('member', 'update', collection, null, undefined)).toBe('allowed')
  expect(await outcome('member', 'delete', collection, null, undefined)).toEqual(denial('delete'))
})

test('a member may do nothing to a kind without a rule', async () => {
  expect(await outcome('member', 'update', 'webhooks', ME, undefined)).toEqual(denial('update'))
})
