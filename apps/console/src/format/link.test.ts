import { expect, test } from 'vitest'
import { completeLink } from './link.ts'

test.each([
  ['acme.com', 'https://acme.com'],
  ['\twww.acme.com.br ', 'https://www.acme.com.br'],
  ['Acme.example/contact?x=1#top', 'https://Acme.example/contact?x=1#top'],
  ['acme.com:8443/a', 'https://acme.com:8443/a'],
  ['//acme.com', 'https://acme.com'],
  ['padaria-são.com.br', 'https://padaria-são.com.br'],
  ['xn--e1afmkfd.xn--p1ai', 'https://xn--e1afmkfd.xn--p1ai'],
])('%j is completed to %s', (typed, link) => {
  expect(completeLink(typed)).toBe(link)
})

test.each([
  'http://acme.com',
  'HTTPS://acme.com',
  'ftp://acme.com',
  'javascript:alert(1)',
  'mailto:ana@acme.com',
  'ana@acme.com',
  'acme',
  'localhost:3000',
  '12.50',
  'see acme.com',
  'acme.com and more',
  '.com',
  'acme..com',
  '-acme.com',
  '',
])('%j stays', (typed) => {
  expect(completeLink(typed)).toBe(typed)
})

test('a long text without an end takes no time', () => {
  const typed = `${'a.'.repeat(50_000)}!`
  expect(completeLink(typed)).toBe(typed)
})
