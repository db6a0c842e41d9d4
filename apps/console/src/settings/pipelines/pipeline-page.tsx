import type { Pipeline } from '@sales-crm/client'
import { useEffect, useRef } from 'preact/hooks'
import { useMenu } from '../../reference/queries.ts'
import { usePageTitle } from '../../shell/page-parts.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PartMessage, PartPage } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { SaveBar } from '../frame/save-bar.tsx'
import { useSettingsTexts } from '../texts.ts'
import styles from './pipeline-page.module.css'
import { PipelineRemoval, useStageCounts } from './pipeline-removal.tsx'
import { StageRulesSection } from './stage-rules-section.tsx'
import { StagesEditor } from './stages-editor.tsx'
import { usePipelineTexts } from './texts.ts'
import { usePipelineDraft } from './use-pipeline-draft.ts'

const MAX_NAME_LENGTH = 80

export function PipelinePage({ id }: { readonly id: string }) {
  const settings = useSettingsTexts()
  const pipelines = useMenu('pipelines')
  const pipeline = pipelines.data?.find((each) => each.id === id)
  if (pipeline) return <PipelineEditor pipeline={pipeline} />
  return (
    <PartPage crumb={{ href: '/settings/pipelines', label: settings.parts.pipelines }}>
      <PartQuery query={pipelines}>{() => <PartMessage>{settings.notFound}</PartMessage>}</PartQuery>
    </PartPage>
  )
}

function PipelineEditor({ pipeline }: { readonly pipeline: Pipeline }) {
  const settings = useSettingsTexts()
  const texts = usePipelineTexts()
  const editing = usePipelineDraft(pipeline)
  const counts = useStageCounts(pipeline.id)
  const frame = useRef<HTMLDivElement>(null)
  usePageTitle(`${pipeline.name} · ${settings.parts.pipelines}`)
  useEffect(() => {
    frame.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error]')?.focus()
  }, [editing.errors])
  return (
    <PartPage
      crumb={{ href: '/settings/pipelines', label: settings.parts.pipelines }}
      lead={texts.lead}
      foot={
        editing.changes.length > 0 && (
          <SaveBar
            changes={editing.changes.map((change) => texts.describe(change))}
            discard={editing.discard}
            save={editing.save}
          />
        )
      }
    >
      <div ref={frame} class={styles.editor}>
        {editing.isOutdated && <Notice kind="caution">{texts.outdated}</Notice>}
        {editing.error && <Notice kind="error">{editing.error}</Notice>}
        <div class={styles.name}>
          <Field label={texts.name} error={editing.errors.name}>
            {(ids) => (
              <Input
                {...ids}
                value={editing.draft.name}
                maxLength={MAX_NAME_LENGTH}
                change={(name) => editing.edit({ name })}
              />
            )}
          </Field>
        </div>
        <StagesEditor pipelineId={pipeline.id} editing={editing} counts={counts.data} />
        <StageRulesSection pipeline={pipeline} />
        <PipelineRemoval pipeline={pipeline} counts={counts.data} />
      </div>
    </PartPage>
  )
}
