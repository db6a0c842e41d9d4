import type { BoardStage } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { stagePlace } from '../../reference/stage-place.ts'
import { classNames } from '../../ui/class-names.ts'
import { Gauge } from '../../ui/gauge.tsx'
import text from '../../ui/text.module.css'
import styles from './board.module.css'

/** Jumps to a stage, on phones, where one column fills the page. */
export function StageTabs({ stages }: { readonly stages: readonly BoardStage[] }) {
  const { texts } = useConsole()
  return (
    <nav class={classNames(styles.stageTabs, text.phoneOnly)} aria-label={texts.deals.stages}>
      {stages.map((stage) => (
        <button
          type="button"
          key={stage.id}
          onClick={() =>
            document
              .getElementById(`column-${stage.id}`)
              ?.scrollIntoView({ inline: 'start', block: 'nearest' })
          }
        >
          <Gauge {...stagePlace(stage, stages)} />
          <span>
            {stage.name} <span class={text.count}>{stage.count}</span>
          </span>
        </button>
      ))}
    </nav>
  )
}
