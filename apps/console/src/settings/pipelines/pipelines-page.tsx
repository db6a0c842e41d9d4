import type { Pipeline } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { PipelineForm } from './pipeline-form.tsx'
import { usePipelineTexts } from './texts.ts'

export function PipelinesPage() {
  const { texts: shared } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = usePipelineTexts()
  const pipelines = useMenu('pipelines')
  return (
    <PartPage title={parts.pipelines} lead={texts.listLead}>
      <PipelineForm />
      <PartQuery query={pipelines}>
        {(data) =>
          data.length === 0 ? (
            <p class={partStyles.empty}>{texts.empty}</p>
          ) : (
            <ul class={partStyles.rows} aria-label={parts.pipelines}>
              {data
                .toSorted((a, b) => a.name.localeCompare(b.name, shared.language))
                .map((pipeline) => (
                  <PipelineRow key={pipeline.id} pipeline={pipeline} />
                ))}
            </ul>
          )
        }
      </PartQuery>
    </PartPage>
  )
}

function PipelineRow({ pipeline: { id, name, stages } }: { readonly pipeline: Pipeline }) {
  const texts = usePipelineTexts()
  const words = stages.map((stage) => stage.name).join(' · ')
  return (
    <li class={partStyles.row}>
      <span class={partStyles.rowText}>
        <Link class={partStyles.rowName} href={`/settings/pipelines/${id}`} title={name}>
          {name}
        </Link>
        <span class={partStyles.rowNote} title={words}>
          {words}
        </span>
      </span>
      <span class={partStyles.rowEnd}>{texts.stageCount(stages.length)}</span>
    </li>
  )
}
