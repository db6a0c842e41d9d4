import { describe, expect, test } from 'vitest'
import { checkDraft, hasErrors, readErrors, restoreStage } from './draft-errors.ts'
import { toDraft } from './stage-draft.ts'

const stage = (id: string, name: string) => ({
  id,
  name,
  type: 'open' as const,
  probability: 50,
  created_at: '2026-03-01T12:00:00.000Z',
})
const draft = toDraft({ name: 'Sales', stages: [stage('a', 'New'), stage('b', 'Demo'), stage('c', 'Offer')] })

describe('checkDraft', () => {
  test('finds empty names and numbers that are no percentage', () => {
    const stages = draft.stages.map((each) =>
      each.key === 'b' ? { ...each, name: ' ', probability: 'x' } : each,
    )
    const errors = checkDraft({ ...draft, stages }, { required: 'R', percent: 'P' })
    expect(errors).toEqual({ rows: { b: { name: 'R', probability: 'P' } } })
    expect(hasErrors(errors)).toBe(true)
    expect(hasErrors(checkDraft(draft, { required: 'R', percent: 'P' }))).toBe(false)
  })
})

describe('readErrors', () => {
  test('assigns the errors of the service to the rows', () => {
    const fields = { name: 'Required.', 'stages[1].name': 'Too long.', 'stages[2].probability': 'Too high.' }
    expect(readErrors(fields, draft.stages)).toEqual({
      name: 'Required.',
      stages: undefined,
      rows: { b: { name: 'Too long.' }, c: { probability: 'Too high.' } },
    })
  })
})

describe('restoreStage', () => {
  const reason = 'The stage "Demo" holds 3 deals. Move or delete them first.'

  test('puts the stage back where it was, with the reason', () => {
    const without = { ...draft, stages: draft.stages.filter(({ key }) => key !== 'b') }
    const restored = restoreStage(without, reason)
    expect(restored?.draft.stages.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    expect(restored?.errors.rows).toEqual({ b: { removal: reason } })
  })

  test('puts a first stage back at the start', () => {
    const without = { ...draft, stages: draft.stages.slice(1) }
    expect(restoreStage(without, 'The stage "New" holds 1 deal.')?.draft.stages[0]?.key).toBe('a')
  })

  test('finds nothing if the named stage was not removed', () => {
    expect(restoreStage(draft, reason)).toBeUndefined()
  })
})
