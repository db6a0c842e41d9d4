import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildRedirectUrl } from './authorization-response.ts'

const issuer = 'https://crm.example'
const ISS = 'iss=https%3A%2F%2Fcrm.example'

test.each([
  ['https://a.co', `https://a.co?code=c&state=s&${ISS}`],
  ['https://a.co/back', `https://a.co/back?code=c&state=s&${ISS}`],
  ['https://a.co/back?', `https://a.co/back?code=c&state=s&${ISS}`],
  ['https://a.co/back?x=%7e+1', `https://a.co/back?x=%7e+1&code=c&state=s&${ISS}`],
  ['https://a.co/back?x=1&', `https://a.co/back?x=1&code=c&state=s&${ISS}`],
  ['http://[::1]:8080?x', `http://[::1]:8080?x&code=c&state=s&${ISS}`],
])('the redirect URI %s leads to %s', (uri, expected) => {
  expect(buildRedirectUrl(uri, { code: 'c', state: 's', issuer })).toBe(expected)
})

test('omits the state if the request had none', () => {
  expect(buildRedirectUrl('https://a.co/', { code: 'c', state: null, issuer })).toBe(
    `https://a.co/?code=c&${ISS}`,
  )
})

test('sends an error in place of the code', () => {
  expect(buildRedirectUrl('https://a.co/', { error: 'access_denied', state: '%20', issuer })).toBe(
    `https://a.co/?error=access_denied&state=%20&${ISS}`,
  )
})

test('the URL parses back to the parameters and the original query', () => {
  const uris = fc.constantFrom(
    'https://a.co',
    'https://a.co/?',
    'https://a.co/b?x=1&x=%2B',
    'http://localhost:3000/?y',
  )
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(uris, text, text, text, (uri, code, state, iss) => {
      const location = buildRedirectUrl(uri, { code, state: encodeURIComponent(state), issuer: iss })
      const { origin, pathname, searchParams } = new URL(location)
      const original = new URL(uri)
      expect(location.startsWith(uri)).toBe(true)
      expect([origin, pathname]).toEqual([original.origin, original.pathname])
      expect([...searchParams]).toEqual([
        ...original.searchParams,
        ['code', code],
        ['state', state],
        ['iss', iss],
      ])
    }),
  )
})
