import fc from 'fast-check'
import { expect, test } from 'vitest'
import { customValueFacet, emailFacet, externalIdFacet, phoneFacet } from './facets.ts'

/** What the indexes of all stores take as one term. */
const TERM = /^_[a-z0-9_\u0080-\uffff]+$/
const FIELD = '0198c0de-0000-7000-8000-000000000001'

test('facets are readable where values are short', () => {
  expect(externalIdFacet({ source: 'rd_station', id: 'A-1' })).toBe('_external_rd_5fstation_3a_41_2d1')
  expect(emailFacet('Ana@X.example')).toBe('_email_ana_40x_2eexample')
  expect(phoneFacet('5541900006230')).toBe('_phone_5541900006230')
  expect(customValueFacet(FIELD, 12.5)).toBe('_value_0198c0de000070008000000000000001_12_2e5')
  expect(customValueFacet(FIELD, 'São Paulo')).toBe(customValueFacet(FIELD, 'SAO PAULO'))
})

test('each value has a term of its own, of bounded length', () => {
  const ids = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 255 }),
    fc.string({ minLength: 60, maxLength: 70 }),
  )
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const [first, second] = [one, other].map((id) => externalIdFacet({ source: 'a', id }))
      expect(first).toMatch(TERM)
      expect(first!.length).toBeLessThanOrEqual(300)
      expect(first === second).toBe(one === other)
    }),
  )
})

test('texts that differ in one character, or in their order, have different hashes', () => {
  const long = 'https://crm.example/records/'.repeat(4)
  const values = Array.from({ length: 2000 }, (_, index) => `${long}${index}`)
  const swapped = values.map((value) => [...value].reverse().join(''))
  const facets = [...values, ...swapped].map((value) => customValueFacet(FIELD, value))
  expect(new Set(facets).size).toBe(4000)
})
