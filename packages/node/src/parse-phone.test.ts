import { expect, test } from 'vitest'
import { parsePhone } from './parse-phone.ts'

test.each([
  ['+55 41 90000-6230', null, '+5541900006230'],
  ['(41) 90000-6230', 'BR', '+5541900006230'],
  ['041 90000 6230', 'BR', '+5541900006230'],
  ['0055 41 90000-6230', 'BR', '+5541900006230'],
  ['tel:+55-41-90000-6230', 'US', '+5541900006230'],
  ['+44 (0)20 7946 0958', null, '+442079460958'],
  ['(212) 555-0100', 'US', '+12125550100'],
  ['(212) 555-0100', null, undefined],
  ['190', 'BR', undefined],
  ['+1', null, undefined],
  ['+123456789012345678', null, undefined],
] as const)('%s in %s is %s', (phone, country, expected) => {
  expect(parsePhone(phone, country)).toBe(expected)
})
