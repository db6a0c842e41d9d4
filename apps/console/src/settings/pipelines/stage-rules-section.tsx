import type { Pipeline, Stage } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { IconButton } from '../../ui/button.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import labelStyles from '../labels/label-page.module.css'
import { rulesOf, type StageRules, toRulesInput } from './stage-rules.ts'
import { StageRulesDialog } from './stage-rules-dialog.tsx'
import { usePipelineTexts } from './texts.ts'
import { useRequirableFields } from './use-requirable-fields.ts'

/** What each stage asks of its deals: the fields that they need, and how long they may stay. */
export function StageRulesSection({ pipeline }: { readonly pipeline: Pipeline }) {
  const texts = usePipelineTexts()
  const [open, setOpen] = useState<Stage>()
  const save = useRulesChange(pipeline)
  return (
    <Section level={2} title={texts.rules}>
      <p class={partStyles.text}>{texts.rulesLead}</p>
      <ul class={partStyles.rows} aria-label={texts.rules}>
        {pipeline.stages.map((stage) => (
          <li key={stage.id} class={partStyles.row}>
            <div class={labelStyles.texts}>
              <strong>{stage.name}</strong>
              <RulesSummary stage={stage} />
            </div>
            <IconButton
              small
              icon="edit"
              label={texts.changeRules(stage.name)}
              onClick={() => setOpen(stage)}
            />
          </li>
        ))}
      </ul>
      {open && (
        <StageRulesDialog stage={open} save={(rules) => save(open, rules)} close={() => setOpen(undefined)} />
      )}
    </Section>
  )
}

function RulesSummary({ stage }: { readonly stage: Stage }) {
  const texts = usePipelineTexts()
  const fields = useRequirableFields(stage.type)
  const { required_fields, stale_after_days } = rulesOf(stage)
  const labels = required_fields.map((name) => fields.find((each) => each.name === name)?.label ?? name)
  const parts = [
    labels.length > 0 && texts.needs(labels.join(', ')),
    stale_after_days !== null && texts.staleAfter(stale_after_days),
  ].filter(Boolean)
  return <span>{parts.length > 0 ? parts.join(' · ') : texts.noRules}</span>
}

function useRulesChange(pipeline: Pipeline): (stage: Stage, rules: StageRules) => void {
  const { crm } = useConsole()
  const texts = usePipelineTexts()
  const change = useChange()
  const { id, stages } = pipeline
  return (stage, rules) => {
    const build = (rules: StageRules) => ({
      ids: [id],
      send: () =>
        crm.pipelines.update(id, {
          stages: stages.map((each) => ({ id: each.id, ...(each.id === stage.id && toRulesInput(rules)) })),
        }),
      patchOf: () => (data: unknown, queryKey: readonly unknown[]) =>
        queryKey.length === 1
          ? patchRecord(id, {
              stages: stages.map((each) => (each.id === stage.id ? { ...each, ...rules } : each)),
            })(data, queryKey)
          : data,
    })
    change({ ...build(rules), done: texts.saved, undo: () => build(rulesOf(stage)) })
  }
}
