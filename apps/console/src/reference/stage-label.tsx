import type { Pipeline, StageReference } from '@sales-crm/client'
import { Gauge } from '../ui/gauge.tsx'
import { useMenu } from './queries.ts'
import styles from './stage-label.module.css'
import { stagePlace } from './stage-place.ts'

interface StageLabelProps {
  readonly stage: StageReference
  readonly pipelineId: string | undefined
}

/** The name of a stage, with its place in the pipeline. */
export function StageLabel({ stage, pipelineId }: StageLabelProps) {
  const pipelines = useMenu('pipelines')
  const pipeline: Pipeline | undefined = pipelines.data?.find(({ id }) => id === pipelineId)
  return (
    <span class={styles.stage}>
      <Gauge {...stagePlace(stage, pipeline?.stages)} />
      {stage.name}
    </span>
  )
}
