import { expect, test } from 'vitest'
import { showMentions } from './show-mentions.ts'

const ISSUER = 'https://crm.example/sales'
const ID = '0198c0de-0000-7000-8000-00000000000a'
const link = (href: string, text: string) => `<a href="${href}">${text}</a>`

test.each([
  ['<p>no link</p>', '<p>no link</p>'],
  [
    `<p>${link(`${ISSUER}/members/${ID}`, '@<b>Ana</b>')} and ${link('https://a.example', 'a')}</p>`,
    `<p><span class="m">@<b>Ana</b></span> and ${link('https://a.example', 'a')}</p>`,
  ],
  [
    `${link('https://a.example', 'a')}${link(`${ISSUER}/members/${ID}`, '@Ana')}`,
    `${link('https://a.example', 'a')}<span class="m">@Ana</span>`,
  ],
  ...[
    link(`https://evil.example/members/${ID}`, '@Ana'),
    link(`${ISSUER}/members/${ID}/x`, '@Ana'),
    link(`${ISSUER}/members/x`, '@Ana'),
  ].map((html) => [html, html]),
])('%s', (html, expected) => {
  expect(showMentions(html!, ISSUER, 'm')).toBe(expected)
})
