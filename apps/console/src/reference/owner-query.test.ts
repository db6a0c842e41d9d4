import { expect, test } from 'vitest'
import { parseOwner, teamValue } from './owner-query.ts'

test.each([
  [null, {}],
  ['', {}],
  ['me', { owner_email: 'ana@acme.example' }],
  ['ben@acme.example', { owner_email: 'ben@acme.example' }],
  [teamValue('south'), { team_id: 'south' }],
] as const)('the owner %s of an address is %o', (value, query) => {
  expect(parseOwner(value, { email: 'ana@acme.example' })).toEqual(query)
})
