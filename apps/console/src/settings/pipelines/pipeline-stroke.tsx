import styles from './pipeline-page.module.css'
import type { StageDraft } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'

/** How the pipeline reads: a piece for each stage. */
export function PipelineStroke({ stages }: { readonly stages: readonly StageDraft[] }) {
  const texts = usePipelineTexts()
  return (
    <ol class={styles.stroke} aria-label={texts.reads}>
      {stages.map(({ key, name, type }) => (
        <li key={key} class={styles[type]} title={name}>
          {name || texts.unnamed}
        </li>
      ))}
    </ol>
  )
}
