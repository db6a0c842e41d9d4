import { expect, test } from 'vitest'
import { mailtoHref, telHref } from './contact-links.ts'

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
