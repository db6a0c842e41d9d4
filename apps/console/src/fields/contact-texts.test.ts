import { expect, test } from 'vitest'
import { parseEmails, parsePhones } from './contact-texts.ts'

test('addresses are separated by commas, semicolons and the ends of cells', () => {
  const typed = '\tana@a.example, b@b.example;c@c.example\td@d.example\t'
  expect(parseEmails(typed, []).map(({ email }) => email)).toEqual([
    'ana@a.example',
    'b@b.example',
    'c@c.example',
    'd@d.example',
  ])
})

test('a number that was there keeps its type and its spaces', () => {
  const before = { phone: '+55 11  4000-0002', type: 'work' } as const
  expect(parsePhones('+55 11  4000-0002, +55\u00a011 4000-0003', [before])).toEqual([
    before,
    { phone: '+55 11 4000-0003', type: 'mobile' },
  ])
})
