import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { stagePlace } from '../../reference/stage-place.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError, Input, Select } from '../../ui/field.tsx'
import { Gauge } from '../../ui/gauge.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Grip, orderStyles } from '../order/grip.tsx'
import type { Reorder } from '../order/use-reorder.ts'
import type { StageErrors } from './draft-errors.ts'
import styles from './pipeline-page.module.css'
import { type StageDraft, type StageType, setStageType } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'

const TYPES: readonly StageType[] = ['open', 'win', 'lost']
const MAX_NAME_LENGTH = 80

interface StageRowProps {
  readonly stage: StageDraft
  readonly at: number
  readonly stages: readonly StageDraft[]
  readonly order: Reorder<StageDraft>
  readonly pipelineId: string
  readonly count: number | undefined
  readonly errors: StageErrors | undefined
  readonly change: (stage: StageDraft) => void
  readonly remove: () => void
}

export function StageRow(props: StageRowProps) {
  const { stage, at, stages, order, errors, change } = props
  const texts = usePipelineTexts()
  const name = stage.name || texts.unnamed
  const errorId = errors && `${stage.key}-error`
  const places = stages.map(({ key, type }) => ({ id: key, type }))
  return (
    <li
      class={classNames(styles.row, orderStyles.row, order.liftedKey === stage.key && orderStyles.isLifted)}
      data-row={stage.key}
    >
      <Grip itemKey={stage.key} name={name} at={at} of={stages.length} order={order} />
      <Gauge {...stagePlace({ id: stage.key, type: stage.type }, places)} />
      <Input
        small
        class={styles.stageName}
        aria-label={texts.stageName(at)}
        aria-describedby={errorId}
        aria-invalid={errors?.name ? true : undefined}
        value={stage.name}
        maxLength={MAX_NAME_LENGTH}
        change={(value) => change({ ...stage, name: value })}
      />
      <Select
        small
        class={styles.type}
        aria-label={texts.typeOf(name)}
        value={stage.type}
        change={(type) => change(setStageType(stage, type as StageType))}
      >
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {texts.types[type]}
          </option>
        ))}
      </Select>
      <Probability {...props} errorId={errorId} />
      <DealCount {...props} />
      <RemoveButton {...props} />
      {errors && <RowErrors id={`${stage.key}-error`} errors={errors} />}
    </li>
  )
}

function Probability({
  stage,
  errors,
  errorId,
  change,
}: StageRowProps & { readonly errorId: string | undefined }) {
  const texts = usePipelineTexts()
  return (
    <span class={styles.percent}>
      <Input
        small
        inputMode="numeric"
        aria-label={texts.probabilityOf(stage.name || texts.unnamed)}
        aria-describedby={errorId}
        aria-invalid={errors?.probability ? true : undefined}
        value={stage.probability}
        disabled={stage.type !== 'open'}
        maxLength={5}
        change={(probability) => change({ ...stage, probability })}
      />
      <span aria-hidden="true">%</span>
    </span>
  )
}

function DealCount({ stage, count, pipelineId }: StageRowProps) {
  const { texts: shared } = useConsole()
  if (stage.id === undefined || count === undefined) return <span class={styles.count} />
  if (count === 0) return <span class={styles.count}>{shared.deals.count(0)}</span>
  return (
    <Link class={styles.count} href={`/deals?view=table&pipeline=${pipelineId}&stage=${stage.id}&status=all`}>
      {shared.deals.count(count)}
    </Link>
  )
}

function RemoveButton({ stage, stages, count, remove }: StageRowProps) {
  const texts = usePipelineTexts()
  const isLast = stages.length === 1
  const isKept = isLast || count === undefined || count > 0
  return (
    <IconButton
      small
      icon="trash"
      class={styles.remove}
      label={texts.removeStage(stage.name || texts.unnamed)}
      aria-disabled={isKept}
      aria-describedby={isKept ? 'stage-removal-hint' : undefined}
      onClick={() => (isKept ? announce(isLast ? texts.lastStage : texts.removalHint) : remove())}
    />
  )
}

function RowErrors({ id, errors }: { readonly id: string; readonly errors: StageErrors }) {
  return (
    <div class={styles.errors} id={id} tabIndex={-1} data-error={errors.removal && ''}>
      {[errors.name, errors.probability, errors.removal].map(
        (error) => error !== undefined && <FieldError key={error}>{error}</FieldError>,
      )}
    </div>
  )
}
