import { describe, expect, test } from 'vitest'
import { sequentialIds } from '../../../test/harness.ts'
import type { Stage } from '../../schema/stage.ts'
import { buildStages, editStages } from './edit-stages.ts'

const T0 = '2026-03-01T12:00:00.000Z'
const T1 = '2026-03-02T12:00:00.000Z'
const stage = {
  ...{ pipeline_id: 'p', created_at: T0, updated_at: T0 },
  ...{ required_fields: [], stale_after_days: null },
}
const fresh: Stage = { ...stage, id: 'a', position: 0, name: 'New', type: 'open', probability: 10 }
const hot: Stage = { ...stage, id: 'b', position: 1, name: 'Hot', type: 'open', probability: 50 }
const won: Stage = { ...stage, id: 'c', position: 2, name: 'Won', type: 'win', probability: 100 }

function edited(entries: Parameters<typeof editStages>[2]) {
  const errors = new Map<string, string>()
  const edit = editStages([fresh, hot, won], 'p', entries, { newId: sequentialIds(), at: T1 }, errors)
  return { ...edit, errors: Object.fromEntries(errors) }
}

const NOTHING = { added: [], changed: [], removed: [], errors: {} }

describe('new stages', () => {
  test('keep their order and get the probability of their type', () => {
    const entries = [
      { name: 'New' },
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
      { name: 'Odd', type: 'win', probability: 0 },
    ] as const
    expect(buildStages('p', entries, { newId: sequentialIds(), at: T0 })).toEqual([
      {
        ...stage,
        id: '0198c0de-0000-7000-8000-000000000001',
        position: 0,
        name: 'New',
        type: 'open',
        probability: 50,
      },
      {
        ...stage,
        id: '0198c0de-0000-7000-8000-000000000002',
        position: 1,
        name: 'Won',
        type: 'win',
        probability: 100,
      },
      {
        ...stage,
        id: '0198c0de-0000-7000-8000-000000000003',
        position: 2,
        name: 'Lost',
        type: 'lost',
        probability: 0,
      },
      {
        ...stage,
        id: '0198c0de-0000-7000-8000-000000000004',
        position: 3,
        name: 'Odd',
        type: 'win',
        probability: 0,
      },
    ])
  })
})

describe('replacing the stages', () => {
  test('with equal entries changes nothing', () => {
    expect(
      edited([{ id: 'a' }, { id: 'b', name: 'Hot', type: 'open', probability: 50 }, { id: 'c', name: null }]),
    ).toEqual({ errors: {} })
  })

  test('adds entries without an id', () => {
    const { added, changed, removed } = edited([{ id: 'a' }, { id: 'b' }, { name: 'Last' }, { id: 'c' }])
    const made = {
      ...stage,
      position: 2,
      name: 'Last',
      type: 'open',
      probability: 50,
      created_at: T1,
      updated_at: T1,
    }
    expect(added).toEqual([{ ...made, id: '0198c0de-0000-7000-8000-000000000001' }])
    expect(changed).toEqual([{ ...won, position: 3, updated_at: T1 }])
    expect(removed).toEqual([])
  })

  test('removes missing stages and closes the gap', () => {
    expect(edited([{ id: 'b' }, { id: 'c' }])).toEqual({
      ...NOTHING,
      changed: [
        { ...hot, position: 0, updated_at: T1 },
        { ...won, position: 1, updated_at: T1 },
      ],
      removed: [fresh],
    })
  })

  test('applies the order of the entries', () => {
    expect(edited([{ id: 'c' }, { id: 'b' }, { id: 'a' }])).toEqual({
      ...NOTHING,
      changed: [
        { ...won, position: 0, updated_at: T1 },
        { ...fresh, position: 2, updated_at: T1 },
      ],
    })
  })

  test('changes only the fields of an entry', () => {
    expect(edited([{ id: 'a', name: 'Fresh' }, { id: 'b', probability: 0 }, { id: 'c' }]).changed).toEqual([
      { ...fresh, name: 'Fresh', updated_at: T1 },
      { ...hot, probability: 0, updated_at: T1 },
    ])
  })

  test("gives a stage of another type that type's probability, unless one is sent", () => {
    expect(
      edited([{ id: 'a', type: 'lost' }, { id: 'b', type: 'win', probability: 90 }, { id: 'c' }]).changed,
    ).toEqual([
      { ...fresh, type: 'lost', probability: 0, updated_at: T1 },
      { ...hot, type: 'win', probability: 90, updated_at: T1 },
    ])
  })

  test('reports each entry with an unknown or repeated id', () => {
    expect(edited([{ id: 'a' }, { id: 'z' }, { id: 'a' }, { id: 'c' }]).errors).toEqual({
      'stages[1].id': 'Stage not found.',
      'stages[2].id': 'Must not name a stage twice.',
    })
  })
})
