import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../../../test/harness.ts'
import { parseScopes, readParameters, requireParameters } from './parameters.ts'

describe('reading parameters', () => {
  test('gives those that are known, and takes an empty one for absent', () => {
    expect(readParameters({ code: 'c', state: '', more: 'm' }, ['code', 'state', 'scope'])).toEqual({
      code: 'c',
      state: undefined,
      scope: undefined,
    })
  })

  test('refuses known ones that are repeated, all at once, and does not care for others', async () => {
    const sent = { code: ['c', 'c'], state: ['', ''], scope: 's', more: ['m', 'n'] }
    expect(await catchRejection(() => readParameters(sent, ['code', 'state', 'scope']))).toEqual({
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { code: 'Must be sent only once.', state: 'Must be sent only once.' },
    })
    expect(readParameters(sent, ['scope'])).toEqual({ scope: 's' })
  })

  test('finds nothing that was not sent', () => {
    expect(readParameters({}, ['constructor', 'toString'])).toEqual({
      constructor: undefined,
      toString: undefined,
    })
    expect(readParameters(Object.assign(Object.create(null), { code: 'c' }), ['code'])).toEqual({ code: 'c' })
  })

  test('names all that are missing', async () => {
    const known = readParameters({ a: '1', b: '' }, ['a', 'b', 'c'])
    requireParameters(known, ['a'])
    expect(await catchRejection(() => requireParameters(known, ['a', 'b', 'c']))).toEqual({
      code: 'invalid_request',
      message: 'A required parameter is missing.',
      fields: { b: 'Required.', c: 'Required.' },
    })
  })
})

describe('scopes', () => {
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
  ])('%j of three are %j', (scope, expected) => {
    expect(parseScopes(scope, allowed)).toEqual(expected)
  })

  test('that are allowed come back in their order, each once, however they are written', () => {
    const some = fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(some, fc.boolean(), (asked, twice) => {
        const found = parseScopes(asked.join(' '), twice ? [...allowed, ...allowed] : allowed)
        expect(found).toEqual(allowed.filter((each) => asked.includes(each)))
        expect(parseScopes([...asked, 'tags:read'].join(' '), allowed)).toBeUndefined()
      }),
    )
  })
})
