import { expect, test } from 'vitest'
import { joinWonOwners } from './won-owners.ts'

type Groups = Parameters<typeof joinWonOwners>[0]
const group = (key: string | null, count: number, value: number, currency = 'BRL') =>
  ({ key, name: key && `${key}@x.example`, count, value, currency }) as Groups[number]

test('won deals are joined with lost ones of their owner and currency, the largest amount first', () => {
  const won = [group(null, 1, 900), group('a', 2, 100), group('b', 1, 300), group('a', 1, 7, 'USD')]
  const lost = [group('a', 3, 0), group('b', 5, 0, 'USD'), group('c', 4, 0)]
  expect(joinWonOwners(won, lost, 'BRL', [{ id: 'a', name: 'Ana' }])).toEqual([
    { id: 'b', name: 'b@x.example', won: 1, lost: 0, amount: 300 },
    { id: 'a', name: 'Ana', won: 2, lost: 3, amount: 100 },
    { id: null, name: '', won: 1, lost: 0, amount: 900 },
  ])
})
