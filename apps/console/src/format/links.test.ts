import { expect, test } from 'vitest'
import { completeLink, mailtoHref, telHref } from './links.ts'

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

test.each([
  ['ana@acme.example', 'mailto:ana@acme.example'],
  ['buyer?bcc=spy%40evil.example&x=@x.example', 'mailto:buyer%3Fbcc%3Dspy%2540evil.example%26x%3D@x.example'],
  ['a,b@x.example', 'mailto:a%2Cb@x.example'],
  ['ana+crm@acme.example', 'mailto:ana%2Bcrm@acme.example'],
  ['"a@b"@acme.example', 'mailto:%22a%40b%22@acme.example'],
  ['josé@münchen.example', 'mailto:jos%C3%A9@m%C3%BCnchen.example'],
])('a message to %s', (email, href) => {
  expect(mailtoHref(email)).toBe(href)
  expect(decodeURIComponent(href.slice('mailto:'.length))).toBe(email)
})

test.each([
  ['+55 (11) 4000-0002', 'tel:+551140000002'],
  ['11 4000-0002', 'tel:1140000002'],
  ['11+4000', 'tel:114000'],
])('a call of %s', (phone, href) => {
  expect(telHref(phone)).toBe(href)
})
