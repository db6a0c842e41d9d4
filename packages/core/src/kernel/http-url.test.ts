import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeHttpUrl, isHttpUrl } from './http-url.ts'

test.each([
  'http://example.com',
  'https://example.com/a?b=c#d',
  'https://example.com?b=c',
  'HTTPS://EXAMPLE.COM:8443/',
  'https://例え.jp/',
  'https://exämple.com/ü?x=1#y',
  'https://example.com/%7Eann/(x)/[y]',
  'http://localhost:3000',
  'https://my_site.xn--bcher-kva.example',
  'https://a--b.example:65535',
  'https://a.b.',
  'https://192.0.2.1/x',
  'https://[::1]/x',
  'https://[::]',
  'https://[1:2:3:4:5:6:7:8]',
  'https://[1:2:3:4:5:6:7::]',
  'https://[2001:db8::1]:8443/',
  'https://a.co/?x=a|b',
  'https://a.co/{id}^`?x={\u007d#|',
  'https://a.co:/',
])('%s is a URL', (text) => {
  expect(isHttpUrl(text)).toBe(true)
})

test.each([
  'example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  '//a.co',
  'http:a.co',
  'http://',
  'https:///x',
  'https://?x',
  'https://:',
  'https://:99999',
  'https://.',
  'https://-',
  'http://%',
  'https://a..b',
  'https://.a',
  'https://a.b..',
  'https://-a.b',
  'https://a-.b',
  'https://a:99999',
  'https://a:65536',
  'https://a:0',
  'https://a:00/x',
  'https://a|b.co/',
  'https://a.co/"b"',
  'https://a:b',
  'https://a:80:80',
  'https://a@b.co/',
  'https://a:b@c.co/',
  'https://a b.co',
  'https://a.co/ b',
  'https://a.co/<b>',
  'https://a.co\\b',
  'https://a.co/\\b',
  'https://a,b',
  'https://a*b',
  'https://[]',
  'https://[:]',
  'https://[:::]',
  'https://[1::2::3]',
  'https://[1:2:3:4:5:6:7]',
  'https://[1:2:3:4:5:6:7:8:9]',
  'https://[1:2:3:4:5:6:7:8::]',
  'https://[12345::]',
  'https://[g::]',
  'https://[::1',
  'https://::1]',
  'https://[::1]x',
  'https://a.co\n',
])('%j is not a URL', (text) => {
  expect(isHttpUrl(text)).toBe(false)
})

test.each([
  ['https://a.co/?x=a|b', 'https://a.co/?x=a%7Cb'],
  ['https://a.co/{id}^`?x=%7C#|', 'https://a.co/%7Bid%7D%5E%60?x=%7C#%7C'],
  ['https://exämple.com/ü?x=1#y', 'https://exämple.com/ü?x=1#y'],
])('%s is encoded as %s', (text, url) => {
  expect(encodeHttpUrl(text)).toBe(url)
  expect(isHttpUrl(url)).toBe(true)
  expect(encodeHttpUrl(url)).toBe(url)
})

test('every accepted URL can be parsed', () => {
  const host = fc.string({
    unit: fc.constantFrom('a', 'é', '_', '-', '.', ':', '%', '@', '[', ']', '1::', '/', '?', '#'),
    maxLength: 12,
  })
  const port = fc.oneof(
    fc.constant(''),
    fc.nat(99_999).map((number) => `:${number}`),
  )
  fc.assert(
    fc.property(host, port, (name, number) => {
      const text = `https://${name}x${number}`
      expect(isHttpUrl(text) && !URL.canParse(text)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('a long host is validated like a short one', () => {
  expect(isHttpUrl(`https://${'a-'.repeat(500_000)}`)).toBe(false)
  expect(isHttpUrl(`https://${'a.'.repeat(500_000)}!`)).toBe(false)
})
