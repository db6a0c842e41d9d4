import type { Deal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useIsReadOnly } from '../records/read-only.tsx'
import { useRecordUpdate } from '../records/use-record-update.ts'
import { useStageSettings } from '../reference/stage-settings.ts'
import { useShell } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import text from '../ui/text.module.css'
import { type Loss, toLossInput, toLossView } from './loss.ts'
import styles from './loss-bar.module.css'
import { LostDialog } from './lost-dialog.tsx'

/** Why the deal was lost, below its stages. */
export function LossBar({ deal }: { readonly deal: Deal }) {
  const { texts } = useConsole()
  const { show } = useShell()
  const update = useRecordUpdate()
  const isReadOnly = useIsReadOnly()
  const { required_fields: required } = useStageSettings(deal.stage?.id)
  if (deal.stage?.type !== 'lost') return null
  const before: Loss = { lost_reason: deal.lost_reason, lost_note: deal.lost_note ?? '' }
  const editOf = (loss: Loss) => ({ changes: toLossInput(loss), shown: toLossView(loss) })
  const save = (loss: Loss) =>
    update({
      ...{ kind: 'deals', id: deal.id, label: texts.labels.lostReason },
      ...{ to: editOf(loss), from: editOf(before) },
    })
  return (
    <p class={styles.loss}>
      <span class={styles.text}>
        <b>{deal.lost_reason ? texts.deals.lostFor(deal.lost_reason.name) : texts.deals.noLostReason}</b>
        {deal.lost_note && <span class={text.soft}> {deal.lost_note}</span>}
      </span>
      {!isReadOnly && (
        <Button
          small
          look="quiet"
          onClick={() =>
            show((close) => (
              <LostDialog subject={deal.name} loss={before} required={required} lose={save} close={close} />
            ))
          }
        >
          {texts.deals.changeLoss}
        </Button>
      )}
    </p>
  )
}
