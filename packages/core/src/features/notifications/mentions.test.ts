import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMentions } from './mentions.ts'

const ISSUER = 'https://crm.example'
const [ANN, BEN] = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b']
const mention = (id: string) => `<a href="${ISSUER}/members/${id}">@x</a>`

test.each([
  ['', []],
  [`<p>Hello</p>`, []],
  [`<p>${mention(ANN)} and ${mention(BEN)}</p>`, [ANN, BEN]],
  [mention(ANN) + mention(ANN.toUpperCase()), [ANN]],
  [`<a href="${ISSUER}/members/${ANN}/x">x</a>`, []],
  [`<a href="${ISSUER}/members/${ANN}?a=1">x</a>`, []],
  [`<a href="https://evil.example/members/${ANN}">x</a>`, []],
  [`<a href="${ISSUER}.evil.example/members/${ANN}">x</a>`, []],
  [`<a href="${ISSUER}/members/">x</a>`, []],
  [`${ISSUER}/members/${ANN}`, []],
])('the mentions of %s are %j', (html, expected) => {
  expect(findMentions(html, ISSUER)).toEqual(expected)
})

test('each member is found once, in order, among any text', () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { maxLength: 30 }), fc.string(), (ids, text) => {
      const escaped = text.replaceAll(/[<>"]/g, '')
      const html = ids.map((id) => `${escaped}${mention(id)}`).join('')
      expect(findMentions(html, ISSUER)).toEqual([...new Set(ids)])
    }),
  )
})
