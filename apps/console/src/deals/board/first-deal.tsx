import type { Pipeline, StageReference } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { DealForm } from '../../create/deal-form.tsx'
import styles from './board.module.css'

/** The empty board: its first form is open. */
export function FirstDeal({
  pipeline,
  stage,
}: {
  readonly pipeline: Pipeline
  readonly stage: StageReference
}) {
  const { texts } = useConsole()
  return (
    <div class={styles.first}>
      <h3>{texts.deals.first.title}</h3>
      <DealForm defaults={{ pipelineId: pipeline.id, stageId: stage.id }} isFirst close={() => {}} />
    </div>
  )
}
