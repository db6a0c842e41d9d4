import type { Deal, StageReference } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { stagePlace } from '../reference/stage-place.ts'
import { usePipelines } from '../reference/use-pipelines.ts'
import { classNames } from '../ui/class-names.ts'
import { Gauge } from '../ui/gauge.tsx'
import styles from './deal-stage-bar.module.css'
import { LostDialog } from './lost-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { useDealMoves } from './use-deal-changes.ts'

/** The stages of the deal's pipeline, in their order: a press moves the deal. */
export function DealStageBar({ deal }: { readonly deal: Deal }) {
  const { texts } = useConsole()
  const pipelines = usePipelines()
  const { move } = useDealMoves()
  const [losing, setLosing] = useState<StageReference>()
  const [isMoving, setIsMoving] = useState(false)
  const stages = pipelines.data?.find(({ id }) => id === deal.pipeline?.id)?.stages ?? []
  const at = stages.findIndex(({ id }) => id === deal.stage?.id)
  const moveTo = (stage: StageReference | undefined) => {
    if (stage?.type === 'lost') setLosing(stage)
    else if (stage) move(deal, stage)
  }
  useKeys({
    m: () => setIsMoving(true),
    w: () => moveTo(stages.find(({ type }) => type === 'win')),
    'Shift+W': () => moveTo(stages.find(({ type }) => type === 'lost')),
    'Shift+ArrowLeft': () => at > 0 && moveTo(stages[at - 1]),
    'Shift+ArrowRight': () => stages[at + 1]?.type === 'open' && moveTo(stages[at + 1]),
  })
  return (
    <>
      <ol class={styles.stages} aria-label={texts.deals.stages}>
        {stages.map((stage, index) => (
          <li key={stage.id}>
            <button
              type="button"
              class={classNames(styles.stage, isPassed(deal, index, at) && styles.passed)}
              aria-current={stage.id === deal.stage?.id ? 'step' : undefined}
              onClick={() => moveTo(stage)}
            >
              <Gauge {...stagePlace(stage, stages)} />
              {stage.name}
            </button>
          </li>
        ))}
      </ol>
      {losing && <LostDialog deal={deal} stage={losing} close={() => setLosing(undefined)} />}
      {isMoving && (
        <MoveDialog deal={deal} stages={stages} choose={moveTo} close={() => setIsMoving(false)} />
      )}
    </>
  )
}

function isPassed(deal: Deal, index: number, at: number): boolean {
  return deal.stage?.type === 'open' && index < at
}
