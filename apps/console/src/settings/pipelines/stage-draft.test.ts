import { describe, expect, test } from 'vitest'
import {
  addStage,
  isOutdated,
  parseProbability,
  setStageType,
  toDraft,
  toPipelineChanges,
  toRestoringChanges,
} from './stage-draft.ts'

const at = '2026-03-01T12:00:00.000Z'
const pipeline = {
  name: 'Sales',
  stages: [
    { id: 'a', name: 'New', type: 'open' as const, probability: 10, created_at: at },
    { id: 'b', name: 'Won', type: 'win' as const, probability: 100, created_at: at },
  ],
}

describe('a draft of a pipeline', () => {
  test('is sent whole, with the ids of the stages that exist', () => {
    const draft = toDraft(pipeline)
    const stages = addStage(draft.stages, 'new-1').map((stage) =>
      stage.key === 'new-1' ? { ...stage, name: ' Demo ', probability: '30 %' } : stage,
    )
    expect(toPipelineChanges({ ...draft, stages })).toEqual({
      name: 'Sales',
      stages: [
        { id: 'a', name: 'New', type: 'open', probability: 10 },
        { name: 'Demo', type: 'open', probability: 30 },
        { id: 'b', name: 'Won', type: 'win', probability: 100 },
      ],
    })
  })

  test('is taken back by the stages before it, those removed without an id and with their rules', () => {
    const rules = { required_fields: ['amount'], stale_after_days: 14 }
    const [first, ...others] = pipeline.stages
    const draft = toDraft({ ...pipeline, stages: [{ ...first!, ...rules }, ...others] })
    expect(toRestoringChanges({ ...draft, stages: draft.stages.slice(1) })).toEqual({
      name: 'Sales',
      stages: [
        { name: 'New', type: 'open', probability: 10, ...rules },
        { id: 'b', name: 'Won', type: 'win', probability: 100 },
      ],
    })
  })

  test('is outdated once the stored stages differ', () => {
    const draft = toDraft(pipeline)
    expect(isOutdated(draft, structuredClone(pipeline))).toBe(false)
    expect(isOutdated(draft, { ...pipeline, stages: pipeline.stages.slice(1) })).toBe(true)
  })

  test('gives a stage the probability of its new type', () => {
    const [stage] = toDraft(pipeline).stages
    expect(setStageType(stage!, 'lost')).toMatchObject({ type: 'lost', probability: '0' })
  })
})

describe('parseProbability', () => {
  test('accepts whole percentages', () => {
    expect(parseProbability(' 50 % ')).toBe(50)
    expect(parseProbability('0')).toBe(0)
    expect(parseProbability('100%')).toBe(100)
  })

  test('rejects everything else', () => {
    for (const text of ['', '101', '5.5', '-1', 'ten']) expect(parseProbability(text)).toBeUndefined()
  })
})
