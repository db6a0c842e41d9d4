import type { Board, DealListItem } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { moveOnBoard, splitStages, sumOpen } from './move-on-board.ts'

const AT = '2026-11-26T12:00:00.000Z'
const deal = (id: string, amount: number, currency: 'BRL' | 'USD' = 'BRL') =>
  ({ id, name: id, amount, currency, closed_at: null }) as DealListItem
const stage = (id: string, type: 'open' | 'win', deals: DealListItem[]): Board['stages'][number] => ({
  id,
  name: id.toUpperCase(),
  type,
  probability: 10,
  count: deals.length + 5,
  amounts: [{ currency: 'BRL', amount: 1000 }],
  deals,
  has_more: true,
})
const board: Board = {
  id: 'p',
  name: 'P',
  stages: [stage('one', 'open', [deal('d1', 300), deal('d2', 50, 'USD')]), stage('won', 'win', [])],
}

test('a moved deal is counted and summed where it is', () => {
  const [from, to] = moveOnBoard(board, deal('d1', 300), 'won', AT).stages
  expect(from).toMatchObject({ count: 6, amounts: [{ currency: 'BRL', amount: 700 }] })
  expect(from?.deals.map(({ id }) => id)).toEqual(['d2'])
  expect(to).toMatchObject({ count: 6, amounts: [{ currency: 'BRL', amount: 1300 }] })
  expect(to?.deals[0]).toMatchObject({
    id: 'd1',
    stage: { id: 'won', name: 'WON', type: 'win' },
    stage_entered_at: AT,
    closed_at: AT,
  })
})

test('a currency comes and goes with its deal', () => {
  const there = moveOnBoard(board, deal('d2', 50, 'USD'), 'won', AT)
  expect(there.stages[1]?.amounts).toContainEqual({ currency: 'USD', amount: 50 })
  expect(moveOnBoard(there, deal('d2', 50, 'USD'), 'one', AT).stages[1]?.amounts).toEqual([
    { currency: 'BRL', amount: 1000 },
  ])
})

test('an open deal is not closed', () => {
  const there = moveOnBoard(board, deal('d1', 300), 'won', AT)
  expect(moveOnBoard(there, deal('d1', 300), 'one', AT).stages[0]?.deals[0]).toMatchObject({
    closed_at: null,
  })
})

test('a deal after the first of its stage is moved too', () => {
  const later = { ...deal('d7', 100), stage: { id: 'one', name: 'ONE', type: 'open' as const } }
  const [from, to] = moveOnBoard(board, later, 'won', AT).stages
  expect(from).toMatchObject({ count: 6, amounts: [{ currency: 'BRL', amount: 900 }] })
  expect(to?.deals[0]).toMatchObject({ id: 'd7', stage: { id: 'won' } })
})

test('a deal that the filters of the board leave out changes nothing', () => {
  const whole = { ...board, stages: board.stages.map((each) => ({ ...each, has_more: false })) }
  const other = { ...deal('d7', 100), stage: { id: 'one', name: 'ONE', type: 'open' as const } }
  expect(moveOnBoard(whole, other, 'won', AT)).toBe(whole)
})

test.each([
  ['an unknown deal', 'd9', 'won'],
  ['an unknown stage', 'd1', 'gone'],
  ['the stage of the deal', 'd1', 'one'],
])('%s changes nothing', (_, dealId, stageId) => {
  expect(moveOnBoard(board, deal(dealId, 1), stageId, AT)).toBe(board)
})

test('only open stages are summed', () => {
  expect(sumOpen(board.stages)).toEqual([{ currency: 'BRL', amount: 1000 }])
  expect(splitStages(board.stages).ends.map(({ id }) => id)).toEqual(['won'])
})
