import { useMenu } from './queries.ts'

/** What a stage asks of its deals. */
export interface StageSettings {
  readonly required_fields: readonly string[]
  /** Null for no limit. */
  readonly stale_after_days: number | null
}

const NONE: StageSettings = { required_fields: [], stale_after_days: null }

/** Returns the settings of stages by their ids, as far as they are loaded. */
export function useFindStageSettings(): (stageId: string | undefined) => StageSettings {
  const pipelines = useMenu('pipelines')
  return (stageId) => {
    const stages = pipelines.data?.flatMap(({ stages }) => stages)
    const { required_fields = [], stale_after_days = null } = stages?.find(({ id }) => id === stageId) ?? NONE
    return { required_fields, stale_after_days }
  }
}

export function useStageSettings(stageId: string | undefined): StageSettings {
  return useFindStageSettings()(stageId)
}
