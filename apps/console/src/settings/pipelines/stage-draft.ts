import type { Pipeline, PipelineChanges, Stage, StageChange } from '@sales-crm/client'
import { rulesOf, toRulesInput } from './stage-rules.ts'

export type StageType = Stage['type']

/** A stage as it is edited. `id` is undefined until the service has created it. */
export interface StageDraft {
  readonly key: string
  readonly id?: string
  readonly name: string
  readonly type: StageType
  /** As typed, in percent. */
  readonly probability: string
}

export interface PipelineDraft {
  readonly name: string
  readonly stages: readonly StageDraft[]
  /** The pipeline when the editing began. */
  readonly base: Pick<Pipeline, 'name' | 'stages'>
}

const DEFAULT_PROBABILITIES: Readonly<Record<StageType, string>> = { open: '50', win: '100', lost: '0' }

export function toDraft(pipeline: Pick<Pipeline, 'name' | 'stages'>): PipelineDraft {
  const { name, stages } = pipeline
  return {
    name,
    stages: stages.map((stage) => ({
      key: stage.id,
      id: stage.id,
      name: stage.name,
      type: stage.type,
      probability: String(stage.probability),
    })),
    base: { name, stages },
  }
}

/** Adds an open stage after the other open ones. */
export function addStage(stages: readonly StageDraft[], key: string): readonly StageDraft[] {
  const last = stages.findLastIndex(({ type }) => type === 'open')
  const stage: StageDraft = { key, name: '', type: 'open', probability: DEFAULT_PROBABILITIES.open }
  return stages.toSpliced(last + 1, 0, stage)
}

/** A new type has its own probability. */
export function setStageType(stage: StageDraft, type: StageType): StageDraft {
  return { ...stage, type, probability: DEFAULT_PROBABILITIES[type] }
}

/** Returns the percentage that was typed; undefined if it is none. */
export function parseProbability(text: string): number | undefined {
  const digits = /^\s*(\d{1,3})\s*%?\s*$/.exec(text)?.[1]
  const value = Number(digits)
  return digits !== undefined && value <= 100 ? value : undefined
}

/** What is sent: the whole list of stages, since a stage that is not in it is deleted. */
export function toPipelineChanges({ name, stages }: PipelineDraft): PipelineChanges {
  return {
    name: name.trim(),
    stages: stages.map(({ id, name: stageName, type, probability }) => ({
      ...(id !== undefined && { id }),
      name: stageName.trim(),
      type,
      probability: parseProbability(probability) ?? 0,
    })),
  }
}

/** The changes that take a draft back. Stages that the draft has removed are created again. */
export function toRestoringChanges({ stages, base }: PipelineDraft): PipelineChanges {
  const kept = new Set(stages.flatMap(({ id }) => id ?? []))
  return {
    name: base.name,
    stages: base.stages.map(({ id, name, type, probability, ...stage }): StageChange => {
      const rules = kept.has(id) ? { id } : toRulesInput(rulesOf(stage))
      return { ...rules, name, type, probability }
    }),
  }
}

/** What the pipeline becomes, for the cache. A stage without an id has its key in place of one. */
export function toShownStages({ stages, base }: PipelineDraft, at: string): Stage[] {
  return stages.map(({ key, id, name, type, probability }) => ({
    ...rulesOf(base.stages.find((each) => each.id === id) ?? {}),
    id: id ?? key,
    name: name.trim(),
    type,
    probability: parseProbability(probability) ?? 0,
    created_at: at,
  }))
}

/** True if somebody else has changed the pipeline since the editing began. */
export function isOutdated(
  { base }: PipelineDraft,
  { name, stages }: Pick<Pipeline, 'name' | 'stages'>,
): boolean {
  const toText = (pipeline: Pick<Pipeline, 'name' | 'stages'>) =>
    JSON.stringify([
      pipeline.name,
      pipeline.stages.map((stage) => [stage.id, stage.name, stage.type, stage.probability]),
    ])
  return toText(base) !== toText({ name, stages })
}
