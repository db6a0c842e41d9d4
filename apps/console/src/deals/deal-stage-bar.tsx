import type { Deal, StageReference } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useDisabledAttributes } from '../records/read-only.tsx'
import { useMenu } from '../reference/queries.ts'
import { stagePlace } from '../reference/stage-place.ts'
import { classNames } from '../ui/class-names.ts'
import { Gauge } from '../ui/gauge.tsx'
import styles from './deal-stage-bar.module.css'

interface DealStageBarProps {
  readonly deal: Deal
  readonly moveTo: (deals: readonly Deal[], stage: StageReference) => void
}

/** The stages of the deal's pipeline, in their order: a press moves the deal. */
export function DealStageBar({ deal, moveTo }: DealStageBarProps) {
  const { texts } = useConsole()
  const pipelines = useMenu('pipelines')
  const disabled = useDisabledAttributes()
  const stages = pipelines.data?.find(({ id }) => id === deal.pipeline?.id)?.stages ?? []
  const at = stages.findIndex(({ id }) => id === deal.stage?.id)
  const moveToOpen = (stage: StageReference | undefined) => {
    if (at !== -1 && stage?.type === 'open') moveTo([deal], stage)
  }
  useKeys({
    'Shift+ArrowLeft': () => moveToOpen(stages[at - 1]),
    'Shift+ArrowRight': () => moveToOpen(stages[at + 1]),
  })
  return (
    <ol class={styles.stages} aria-label={texts.deals.stages}>
      {stages.map((stage, index) => (
        <li key={stage.id}>
          <button
            {...disabled}
            type="button"
            class={classNames(styles.stage, isPassed(deal, index, at) && styles.passed)}
            aria-current={stage.id === deal.stage?.id ? 'step' : undefined}
            onClick={() => moveTo([deal], stage)}
          >
            <Gauge {...stagePlace(stage, stages)} />
            {stage.name}
          </button>
        </li>
      ))}
    </ol>
  )
}

function isPassed(deal: Deal, index: number, at: number): boolean {
  return deal.stage?.type === 'open' && index < at
}
