import { expect, test } from 'vitest'
import { FocusStandIn } from './focus-stand-in.ts'

const shows =
  (...ids: string[]) =>
  (id: string) =>
    ids.includes(id)

test('a record that comes back gets the focus back, once', () => {
  const standIn = new FocusStandIn()
  standIn.begin('won', 'next')
  expect(standIn.end('next', shows('next'))).toBeUndefined()
  expect(standIn.end('next', shows('next', 'won'))).toBe('won')
  expect(standIn.end('next', shows('next', 'won'))).toBeUndefined()
})

test('the focus stays where the user has moved it', () => {
  const standIn = new FocusStandIn()
  standIn.begin('won', 'next')
  expect(standIn.end('other', shows('other', 'won'))).toBeUndefined()
  expect(standIn.end('next', shows('next', 'won'))).toBeUndefined()
})
