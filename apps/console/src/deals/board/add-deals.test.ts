import type { BoardStage, DealListItem } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { addDeals } from './add-deals.ts'

const deal = (id: string, stageId: string) => ({ id, stage: { id: stageId } }) as DealListItem
const stage = (id: string, deals: readonly DealListItem[], has_more: boolean) =>
  ({ id, deals, has_more }) as BoardStage
const stages = [stage('one', [deal('a', 'one')], true), stage('two', [], false)]
const idsOf = (shown: readonly BoardStage[]) => shown.map(({ deals }) => deals.map(({ id }) => id))

test('a stage without further pages stays the same', () => {
  expect(addDeals(stages, [])).toBe(stages)
})

test('further deals follow the first, each once', () => {
  const pages = [
    { stageId: 'one', deals: [deal('a', 'one'), deal('b', 'one')], has_more: true },
    { stageId: 'one', deals: [deal('b', 'one'), deal('c', 'one')], has_more: false },
  ]
  const [one, two] = addDeals(stages, pages)
  expect(idsOf([one!, two!])).toEqual([['a', 'b', 'c'], []])
  expect([one?.has_more, two?.has_more]).toEqual([false, false])
})

test('a deal that was moved from a further page is in its new stage alone', () => {
  const moved = [stage('one', [deal('a', 'one')], true), stage('two', [deal('b', 'two')], false)]
  const pages = [{ stageId: 'one', deals: [deal('b', 'two'), deal('c', 'one')], has_more: false }]
  expect(idsOf(addDeals(moved, pages))).toEqual([['a', 'c'], ['b']])
})
