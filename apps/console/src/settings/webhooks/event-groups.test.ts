import { EVENT_NAMES } from '@sales-crm/core/browser'
import { describe, expect, test } from 'vitest'
import { EVENT_GROUPS, selectEvents, selectionState } from './event-groups.ts'

describe('EVENT_GROUPS', () => {
  test('hold every event once', () => {
    expect(EVENT_GROUPS.flatMap(([, events]) => events)).toEqual(EVENT_NAMES)
  })
})

describe('selectEvents', () => {
  test('adds and removes a group, in the order of all events', () => {
    const deals = EVENT_GROUPS.find(([group]) => group === 'deal')![1]
    expect(selectEvents(['tag.created'], deals, true)).toEqual([...deals, 'tag.created'])
    expect(selectEvents(['deal.won', 'tag.created'], deals, false)).toEqual(['tag.created'])
  })
})

describe('selectionState', () => {
  test('counts what is selected', () => {
    expect(selectionState(['deal.won'], ['deal.won', 'deal.lost'])).toEqual({ state: 'some', count: 1 })
    expect(selectionState(EVENT_NAMES, ['deal.won'])).toEqual({ state: 'all', count: 1 })
    expect(selectionState([], ['deal.won'])).toEqual({ state: 'none', count: 0 })
  })
})
