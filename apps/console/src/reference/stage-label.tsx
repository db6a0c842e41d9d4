import type { Pipeline, StageReference } from '@sales-crm/client'
import { Gauge } from '../ui/gauge.tsx'
import styles from './stage-label.module.css'
import { stagePlace } from './stage-place.ts'
import { usePipelines } from './use-pipelines.ts'

interface StageLabelProps {
  readonly stage: StageReference
  readonly pipelineId: string | undefined
}

/** The name of a stage, with its place in the pipeline. */
export function StageLabel({ stage, pipelineId }: StageLabelProps) {
  const pipelines = usePipelines()
  const pipeline: Pipeline | undefined = pipelines.data?.find(({ id }) => id === pipelineId)
  return (
    <span class={styles.stage}>
      <Gauge {...stagePlace(stage, pipeline?.stages)} />
      {stage.name}
    </span>
  )
}
