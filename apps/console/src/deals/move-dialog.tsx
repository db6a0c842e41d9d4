import type { StageReference } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { stagePlace } from '../reference/stage-place.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Gauge } from '../ui/gauge.tsx'
import styles from './move-dialog.module.css'

interface MoveDialogProps<Stage extends StageReference> {
  readonly deal: { readonly name: string; readonly stage: StageReference | null }
  readonly stages: readonly Stage[]
  readonly choose: (stage: Stage) => void
  readonly close: () => void
}

/** Chooses a stage: by a click, by its number, or by Tab and Enter. */
export function MoveDialog<Stage extends StageReference>({
  deal,
  stages,
  choose,
  close,
}: MoveDialogProps<Stage>) {
  const { texts } = useConsole()
  const select = (stage: Stage | undefined) => {
    if (!stage) return
    close()
    choose(stage)
  }
  return (
    <Dialog title={`${texts.deals.chooseStage}: ${deal.name}`} close={close}>
      <ol
        class={styles.stages}
        onKeyDown={({ key }) => /^[1-9]$/.test(key) && select(stages[Number(key) - 1])}
      >
        {stages.map((stage, index) => (
          <li key={stage.id}>
            <Button
              look="quiet"
              class={styles.stage}
              aria-current={stage.id === deal.stage?.id ? 'true' : undefined}
              onClick={() => select(stage)}
            >
              <Gauge {...stagePlace(stage, stages)} />
              {stage.name}
              {index < 9 && <kbd>{index + 1}</kbd>}
            </Button>
          </li>
        ))}
      </ol>
      <DialogActions>
        <Button onClick={close}>{texts.actions.cancel}</Button>
      </DialogActions>
    </Dialog>
  )
}
