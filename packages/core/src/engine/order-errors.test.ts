import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection } from '../../test/harness.ts'
import { appInput, RESOURCES } from '../declarations.ts'
import { validateRequest } from '../features/oauth/server/validate-request.ts'
import { orderByInput } from './order-errors.ts'
import { validate } from './validate.ts'
import { validatePatch } from './validate-patch.ts'

const { people, pipelines, tasks } = RESOURCES

test('errors come in the order of the fields sent, missing fields last', async () => {
  const sent = { zip: 1, score: 'high', emails: [{ type: 'fax', e: 1 }, 5], position: 5, company_id: 'x' }
  const errors = await catchFieldErrors(() => validate(people.create, sent))
  expect(Object.keys(errors)).toEqual([
    'zip',
    'score',
    'emails[0].type',
    'emails[0].e',
    'emails[0].email',
    'emails[1]',
    'position',
    'company_id',
    'full_name',
  ])
})

test.each([
  [['name', 'stages'], { name: '', stages: 5 }],
  [['stages', 'name'], { stages: 5, name: '' }],
  [['name', 'stages'], {}],
  [['stages', 'name'], { stages: [] }],
])('the errors %j come in the order of %j', async (names, input) => {
  expect(Object.keys(await catchFieldErrors(() => validate(pipelines.create, input)))).toEqual(names)
})

test('errors of an update and of an app come in the same order', async () => {
  const patch = { priority: 'x', titel: 'x', completed: 1, title: '' }
  expect(Object.keys(await catchFieldErrors(() => validatePatch(tasks.update, patch)))).toEqual(
    Object.keys(patch),
  )
  const app = { scopes: 5, email: 'x', redirect_uris: [] }
  const { fields = {} } = await catchRejection(() => validateRequest(appInput, app))
  expect(Object.keys(fields)).toEqual(['scopes', 'email', 'redirect_uris', 'name'])
})

test.each([
  ['a name with a dot', { b: 1, 'a.b': 1 }, ['a.b', 'b'], ['b', 'a.b']],
  ['a parent before its parts', { a: { b: 1 } }, ['a.b', 'a'], ['a', 'a.b']],
  ['no object', null, ['b', 'a'], ['b', 'a']],
  [
    'names of the prototype',
    { toString: 1, x: 1 },
    ['constructor', 'x', 'toString'],
    ['toString', 'x', 'constructor'],
  ],
])('the order of %s', (_, input, names, ordered) => {
  const errors = new Map(names.map((name) => [name, 'Unknown field.']))
  expect(Object.keys(orderByInput(errors, input))).toEqual(ordered)
})

test('a hundred errors about an object of thirty thousand fields are ordered', () => {
  const input = Object.fromEntries(Array.from({ length: 30_000 }, (_, nth) => [`n${nth}`, nth]))
  const names = Object.keys(input).slice(-100)
  const errors = new Map(names.toReversed().map((name) => [name, 'Unknown field.']))
  expect(Object.keys(orderByInput(errors, input))).toEqual(names)
})
