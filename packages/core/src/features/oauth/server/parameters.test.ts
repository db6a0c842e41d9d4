import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../../../test/harness.ts'
import { parseScopes, readParameters, requireParameters } from './parameters.ts'

describe('readParameters', () => {
  test('returns the known parameters and treats an empty value as absent', () => {
    expect(readParameters({ code: 'c', state: '', more: 'm' }, ['code', 'state', 'scope'])).toEqual({
      code: 'c',
      state: undefined,
      scope: undefined,
    })
  })

  test('rejects all repeated known parameters at once and ignores unknown ones', async () => {
    const parameters = { code: ['c', 'c'], state: ['', ''], scope: 's', more: ['m', 'n'] }
    expect(await catchRejection(() => readParameters(parameters, ['code', 'state', 'scope']))).toEqual({
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { code: 'Must be sent only once.', state: 'Must be sent only once.' },
    })
    expect(readParameters(parameters, ['scope'])).toEqual({ scope: 's' })
  })

  test('ignores inherited properties', () => {
    expect(readParameters({}, ['constructor', 'toString'])).toEqual({
      constructor: undefined,
      toString: undefined,
    })
    expect(readParameters(Object.assign(Object.create(null), { code: 'c' }), ['code'])).toEqual({ code: 'c' })
  })

  test('reports all missing parameters', async () => {
    const known = readParameters({ a: '1', b: '' }, ['a', 'b', 'c'])
    requireParameters(known, ['a'])
    expect(await catchRejection(() => requireParameters(known, ['a', 'b', 'c']))).toEqual({
      code: 'invalid_request',
      message: 'A required parameter is missing.',
      fields: { b: 'Required.', c: 'Required.' },
    })
  })
})

describe('parseScopes', () => {
  const allowed = ['tasks:read', 'people:read', 'deals:read']

  test.each([
    ['tasks:read', ['tasks:read']],
    ['deals:read tasks:read', ['tasks:read', 'deals:read']],
    ['people:read people:read  people:read ', ['people:read']],
    ['tasks:read tasks:write', undefined],
    ['tasks', undefined],
    ['tasks:read,people:read', undefined],
    ['tasks:read\tpeople:read', undefined],
    ['Tasks:read', undefined],
    [' ', undefined],
  ])('parses %j as %j', (scope, expected) => {
    expect(parseScopes(scope, allowed)).toEqual(expected)
  })

  test('returns the allowed scopes in order and without duplicates', () => {
    const scopeLists = fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(scopeLists, fc.boolean(), (requested, hasDuplicates) => {
        const scopes = parseScopes(requested.join(' '), hasDuplicates ? [...allowed, ...allowed] : allowed)
        expect(scopes).toEqual(allowed.filter((scope) => requested.includes(scope)))
        expect(parseScopes([...requested, 'tags:read'].join(' '), allowed)).toBeUndefined()
      }),
    )
  })
})
