import type { Pipeline, StageReference } from '@sales-crm/client'
import type { StagePlace } from '../ui/gauge.tsx'

type Stages = readonly Pick<Pipeline['stages'][number], 'id' | 'type'>[]

/** The place of a stage among the open stages of its pipeline. */
export function stagePlace(
  stage: Pick<StageReference, 'id' | 'type'>,
  stages: Stages | undefined,
): StagePlace {
  const open = (stages ?? []).filter(({ type }) => type === 'open')
  const at = open.findIndex(({ id }) => id === stage.id) + 1
  return { type: stage.type, at, of: open.length }
}
