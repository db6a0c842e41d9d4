import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { catchFieldErrors } from '../../../../test/harness.ts'
import { validate } from '../../../engine/validate.ts'
import { object } from '../../../kernel/object-schemas.ts'
import { redirectUri } from './redirect-uri.ts'

const schema = object({ uri: redirectUri })
const validateUri = (uri: unknown) => validate(schema, { uri }).uri

test.each([
  'https://a.co',
  'https://a.co?x=1',
  'https://a.co:8443/x?y=1',
  'https://A.co/X/../y/./%2e',
  'https://a.co//evil.example',
  "https://a.co/!$&'()*+,;=:@[]~",
  'https://a.co/?next=https://b.co/;x,y',
  'https://xn--bcher-kva.example/',
  'https://a--b.co./',
  'https://192.0.2.1/',
  'https://[2001:db8::1]:8443/x',
  'http://localhost/back',
  'http://localhost:3000',
  'http://localhost?x',
  'http://127.0.0.1:8080/x',
  'http://[::1]:1/x',
])('accepts %s and leaves it unchanged', (uri) => {
  expect(validateUri(uri)).toBe(uri)
})

test.each([
  'http://a.co/',
  'https://a.co/#x',
  'https://a.co/x#',
  'https://a.co#',
  'https://user@a.co/',
  'https://user:word@a.co/',
  'https://a.co:443@b.co/',
  'https://@a.co/',
  'http://localhost.a.co/',
  'http://localhost@a.co/',
  'http://localhost:x/',
  'http://127.0.0.2/',
  'http://[::2]/',
  'http://[::ffff:127.0.0.1]/',
  'https://',
  'https:///x',
  'https:a.co',
  '//a.co/',
  '/back',
  'HTTPS://a.co/',
  'app://back',
  'javascript:alert(1)',
  'data:text/html,x',
  "https://a.co;script-src'self'/",
  'https://a.co;/',
  'https://a.co,b.co/',
  "https://'self'/",
  'https://*.a.co/',
  'https://*/',
  'https://a.co%2f/',
  'https://a_b.co/',
  'https://a.co:/',
  'https://a.co:*/',
  'https://a.co:65536/',
  'https://a.co:123456/',
  'https://a..co/',
  'https://-a.co/',
  'https://.',
  'https://[::1',
  'https://[1:2]/',
  'https://[::1%25eth0]/',
  'https://1.2.3.4.5/',
  'https://1.2.3/',
  'https://1.2.3.4./',
  'https://256.1.1.1/',
  'https://0x7f.1/',
  'https://01.2.3.4/',
  'https://2130706433/',
  'https://a.09/',
  'https://a.0x/',
])('rejects %s', async (uri) => {
  expect(await catchFieldErrors(() => validateUri(uri))).toEqual({
    uri: 'Must be an https URL, or http on localhost, 127.0.0.1 or [::1], without a fragment, user name or password.',
  })
})

test.each([
  'https://a.co/ x',
  'https://a.co\u00a0/x',
  'https://a.co\\@b.co/',
  'https://a.co/\\b.co',
  'https://b\u00fccher.example/',
  'https://a.co/\u00fc',
  'https://a.co\u3002b.co/',
  'https://a.co/\u007f',
  'https://a.co/"x',
  'https://a.co/<x>',
  'https://a.co/{x}',
  'https://a.co/`x`|^',
])('rejects the characters of %j', async (uri) => {
  expect(await catchFieldErrors(() => validateUri(uri))).toEqual({
    uri: 'Must hold only ASCII characters that a URL may have.',
  })
})

test.each([
  ['https://a.co/\r\nSet-Cookie: x=1', 'Must not contain control characters.'],
  ['https://a.co/\0', 'Must not contain control characters.'],
  ['https://a.co/\ud800', 'Must be valid Unicode text.'],
  [`https://a.co/${'x'.repeat(2036)}`, 'Must be between 1 and 2048 characters.'],
  [' ', 'Required.'],
  [7, 'Must be a string.'],
])('rejects %j with %s', async (uri, message) => {
  expect(await catchFieldErrors(() => validateUri(uri))).toEqual({ uri: message })
})

test('an accepted URI is parsed alike by browsers and its origin is safe in a CSP header', () => {
  const hostPart = fc.constantFrom(
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a.co',
    'A',
    '.',
    '-',
    'xn--',
    '0x',
    '09',
    '1',
  )
  const separator = fc.constantFrom(
    ':',
    ':80',
    '/',
    '?',
    '#',
    '@',
    '%',
    ';',
    ',',
    "'",
    '*',
    '\\',
    '[',
    ']',
    '//',
    '..',
    'é',
    ' x',
    'b',
  )
  const scheme = fc.constantFrom('https://', 'https://', 'http://', 'http:', '')
  const uri = fc
    .tuple(scheme, fc.array(fc.oneof(hostPart, separator), { maxLength: 8 }))
    .map(([start, parts]) => start + parts.join(''))
  fc.assert(
    fc.property(fc.oneof({ arbitrary: uri, weight: 8 }, fc.webUrl(), fc.string()), (text) => {
      const result = v.safeParse(redirectUri, text)
      if (!result.success) return
      const accepted = result.output
      const { protocol, hostname, username, password, hash } = new URL(accepted)
      const [, scheme, host] = /^(https?):\/\/(\[[^\]]*\]|[^/?:]*)/.exec(accepted)!
      expect({ protocol, username, password, hash }).toEqual({
        protocol: `${scheme}:`,
        username: '',
        password: '',
        hash: '',
      })
      if (!host!.startsWith('[')) expect(hostname).toBe(host!.toLowerCase())
      if (protocol === 'http:') expect(['localhost', '127.0.0.1', '[::1]']).toContain(hostname)
      expect(/^[^/?]*\/\/[^/?]*/.exec(accepted)![0]).toMatch(/^[A-Za-z0-9:/.[\]-]*$/)
    }),
    { numRuns: 5000 },
  )
})

test('rejects a long invalid URI', async () => {
  expect(await catchFieldErrors(() => validateUri(`https://${'a.'.repeat(1010)};`))).toHaveProperty('uri')
  expect(await catchFieldErrors(() => validateUri(`https://${'1.'.repeat(1010)}1`))).toHaveProperty('uri')
})
