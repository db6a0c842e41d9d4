import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../test/harness.ts'
import type { ResourceName } from '../schema/index.ts'
import { KINDS } from '../schema/index.ts'
import type { Actor } from './actor.ts'
import { type Operation, requirePermission } from './permissions.ts'

const ME = 'me'
const OWNERS = { 'owned by them': ME, 'owned by another': 'another', unowned: null }
const NEW_OWNERS = {
  'owner omitted': undefined,
  'themselves as owner': ME,
  'another owner': 'another',
  'no owner': null,
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
  kind: ResourceName,
  owner: string | null | undefined,
  newOwner: string | null | undefined,
) {
  const before = owner === undefined ? undefined : { owner_user_id: owner }
  const fields = newOwner === undefined ? {} : { owner_user_id: newOwner }
  try {
    requirePermission(
      as(role),
      operation,
      { memberAccess: KINDS[kind].memberAccess, label: 'Task type', collection: kind },
      before,
      fields,
    )
    return 'allowed'
  } catch (error) {
    return catchRejection(Promise.reject(error))
  }
}

function denial(operation: Operation, fields?: object) {
  return {
    code: 'forbidden',
    message: `You do not have permission to ${operation} this task type.`,
    ...(fields && { fields }),
  }
}

const OWNER_DENIAL = { owner_user_id: 'A member may set only itself or nobody as the owner.' }

describe.each(['owner', 'admin'] as const)('the role %s', (role) => {
  test.each([...RECORDS, ...SHARED, ...SETTINGS])('may do everything with %s', async (collection) => {
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

describe.each(RECORDS)('a member and %s', (collection) => {
  test.each([
    ['owner omitted', true],
    ['themselves as owner', true],
    ['another owner', false],
    ['no owner', true],
  ] as const)('creating a record with %s', async (owner, isAllowed) => {
    expect(await outcome('member', 'create', collection, undefined, NEW_OWNERS[owner])).toEqual(
      isAllowed ? 'allowed' : denial('create', OWNER_DENIAL),
    )
  })

  test.each([
    ['owned by them', 'owner omitted', true],
    ['owned by them', 'themselves as owner', true],
    ['owned by them', 'another owner', false],
    ['owned by them', 'no owner', true],
    ['owned by another', 'owner omitted', false],
    ['owned by another', 'themselves as owner', false],
    ['owned by another', 'another owner', false],
    ['owned by another', 'no owner', false],
    ['unowned', 'owner omitted', true],
    ['unowned', 'themselves as owner', true],
    ['unowned', 'another owner', false],
    ['unowned', 'no owner', true],
  ] as const)('updating a record that is %s, with %s', async (current, owner, isAllowed) => {
    expect(await outcome('member', 'update', collection, OWNERS[current], NEW_OWNERS[owner])).toEqual(
      isAllowed ? 'allowed' : denial('update', current === 'owned by another' ? undefined : OWNER_DENIAL),
    )
  })

  test.each([
    ['owned by them', true],
    ['owned by another', false],
    ['unowned', true],
  ] as const)('deleting a record that is %s', async (current, isAllowed) => {
    expect(await outcome('member', 'delete', collection, OWNERS[current], undefined)).toEqual(
      isAllowed ? 'allowed' : denial('delete'),
    )
  })
})

test.each(
  SETTINGS.flatMap((collection) =>
    (['create', 'update', 'delete'] as const).map((operation) => [operation, collection] as const),
  ),
)('a member may not %s %s', async (operation, collection) => {
  const before = operation === 'create' ? undefined : null
  expect(await outcome('member', operation, collection, before, undefined)).toEqual(denial(operation))
})

test.each(SHARED)('a member may create and update %s, and not delete them', async (collection) => {
  expect(await outcome('member', 'create', collection, undefined, undefined)).toBe('allowed')
  expect(await outcome('member', 'update', collection, null, undefined)).toBe('allowed')
  expect(await outcome('member', 'delete', collection, null, undefined)).toEqual(denial('delete'))
})
