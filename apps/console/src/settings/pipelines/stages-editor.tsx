import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Section } from '../frame/part-page.tsx'
import { useReorder } from '../order/use-reorder.ts'
import styles from './pipeline-page.module.css'
import { PipelineStroke } from './pipeline-stroke.tsx'
import { addStage, type StageDraft } from './stage-draft.ts'
import { StageRow } from './stage-row.tsx'
import { usePipelineTexts } from './texts.ts'
import type { PipelineEditing } from './use-pipeline-draft.ts'

const MAX_STAGES = 50

interface StagesEditorProps {
  readonly pipelineId: string
  readonly editing: PipelineEditing
  /** The number of deals by stage; undefined while it is read. */
  readonly counts: Readonly<Record<string, number>> | undefined
}

/** The stages of a pipeline, in their order. */
export function StagesEditor({ pipelineId, editing, counts }: StagesEditorProps) {
  const { texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const { stages } = editing.draft
  const setStages = (next: readonly StageDraft[]) => editing.edit({ stages: next })
  const order = useReorder({
    items: stages,
    keyOf: ({ key }) => key,
    nameOf: ({ name }) => name || texts.unnamed,
    reorder: setStages,
  })
  const add = () => {
    const key = crypto.randomUUID()
    setStages(addStage(stages, key))
    setTimeout(() => order.listRef.current?.querySelector<HTMLElement>(`[data-row="${key}"] input`)?.focus())
  }
  return (
    <Section
      level={2}
      title={shared.deals.stages}
      end={
        stages.length < MAX_STAGES && (
          <Button small icon="plus" aria-label={texts.addStage} onClick={add}>
            {shared.labels.stage}
          </Button>
        )
      }
    >
      <PipelineStroke stages={order.shown} />
      {editing.errors.stages && <FieldError>{editing.errors.stages}</FieldError>}
      <div class={styles.frame}>
        <StagesHead />
        <ol ref={order.listRef} aria-label={shared.deals.stages}>
          {order.shown.map((stage, index) => (
            <StageRow
              key={stage.key}
              stage={stage}
              at={index + 1}
              stages={order.shown}
              order={order}
              pipelineId={pipelineId}
              count={stage.id === undefined ? 0 : counts?.[stage.id]}
              errors={editing.errors.rows[stage.key]}
              change={(changed) => setStages(stages.map((each) => (each.key === stage.key ? changed : each)))}
              remove={() => setStages(stages.filter(({ key }) => key !== stage.key))}
            />
          ))}
        </ol>
      </div>
      <p class={styles.hint} id="stage-removal-hint">
        {texts.removalHint}
      </p>
    </Section>
  )
}

function StagesHead() {
  const { labels } = useConsole().texts
  const texts = usePipelineTexts()
  return (
    <div class={styles.head} aria-hidden="true">
      <span />
      <span />
      <span>{labels.name}</span>
      <span>{labels.type}</span>
      <span>{texts.probability}</span>
      <span>{texts.holds}</span>
    </div>
  )
}
