import type { Pipeline, StageReference } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { placeOf } from '../../create/create-defaults.ts'
import { RecordForm } from '../../create/record-form.tsx'
import { FIRST_DEAL_FORM } from '../../fields/deal-fields.tsx'
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
  const defaults = { pipelineId: pipeline.id, stageId: stage.id }
  return (
    <div class={styles.first}>
      <h3>{texts.deals.first.title}</h3>
      <RecordForm
        kind="deals"
        fields={FIRST_DEAL_FORM}
        defaults={defaults}
        place={`first ${placeOf('deals', defaults)}`}
        submitLabel={texts.deals.first.submit}
        close={() => {}}
      />
    </div>
  )
}
