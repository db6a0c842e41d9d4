import type { CustomField, MemberListItem, ProblemGroup } from '@sales-crm/client'
import { CURRENCIES } from '@sales-crm/core/browser'
import { useConsole } from '../../../app/console-context.ts'
import { canAssign } from '../../../app/permissions.ts'
import { useMenu } from '../../../reference/queries.ts'
import type { Texts } from '../../../texts/en.ts'
import { findCustomField, type Target } from '../../columns/target.ts'
import { type ImportTexts, useImportTexts } from '../../texts/texts.ts'

/** What may stand in a cell in place of a text that names nothing. */
export interface MendChoice {
  /** As the service reads it. */
  readonly text: string
  readonly label: string
  /** The pipeline of a stage. */
  readonly group?: string
}

export interface ChoiceSources {
  readonly members: readonly Pick<MemberListItem, 'name' | 'email'>[]
  readonly pipelines: readonly {
    readonly name: string
    readonly stages: readonly { readonly name: string }[]
  }[]
  readonly taskTypes: readonly { readonly key: string; readonly title: string }[]
  readonly fields: readonly CustomField[]
  readonly shared: Pick<Texts, 'due' | 'products'>
  readonly texts: Pick<ImportTexts, 'check'>
}

const CODES_WITH_CHOICES = new Set<ProblemGroup['code']>([
  ...(['unknown_owner', 'unknown_pipeline', 'unknown_stage', 'unknown_status', 'unknown_type'] as const),
  ...(['unknown_option', 'unknown_currency', 'invalid_boolean'] as const),
])

/** The choices for the values of a problem; none if its values are not among few. */
export function useMendChoices(): (target: Target) => readonly MendChoice[] {
  const { me, texts: shared } = useConsole()
  const texts = useImportTexts()
  const sources = {
    members: (useMenu('members').data ?? []).filter((member) => canAssign(me, member, 'people')),
    pipelines: useMenu('pipelines').data ?? [],
    taskTypes: useMenu('taskTypes').data ?? [],
    fields: useMenu('customFields').data ?? [],
    ...{ shared, texts },
  }
  return (target) => listChoices(target, sources)
}

export function hasChoices({ code }: Pick<ProblemGroup, 'code'>): boolean {
  return CODES_WITH_CHOICES.has(code)
}

export function listChoices(target: Target, sources: ChoiceSources): readonly MendChoice[] {
  const { shared, texts } = sources
  const { statuses, yes, no } = texts.check.mend
  switch (target.field) {
    case 'owner_email':
      return sources.members.map(({ name, email }) => ({ text: email, label: `${name}, ${email}` }))
    case 'pipeline':
      return sources.pipelines.map(({ name }) => ({ text: name, label: name }))
    case 'stage':
      return listStages(sources)
    case 'status':
      return toChoices(statuses)
    case 'type':
      return sources.taskTypes.map(({ key, title }) => ({ text: key, label: title }))
    case 'priority':
      return toChoices(shared.due.priorities)
    case 'billing_cycle':
      return toChoices(shared.products.billing)
    case 'currency':
      return CURRENCIES.map((code) => ({ text: code, label: code }))
    case 'completed':
    case 'is_active':
      return toChoices({ yes, no })
    default:
      return listOptions(target, sources.fields)
  }
}

/** A stage is found by its name, in the first pipeline that has it. */
function listStages({ pipelines }: ChoiceSources): readonly MendChoice[] {
  const stages = pipelines.flatMap(({ name: group, stages }) =>
    stages.map(({ name }) => ({ text: name, label: name, ...(pipelines.length > 1 && { group }) })),
  )
  return stages.filter(({ text }, index) => stages.findIndex((each) => each.text === text) === index)
}

function listOptions(target: Target, fields: readonly CustomField[]): readonly MendChoice[] {
  const field = findCustomField(target, fields)
  if (field) return (field.value?.select_list ?? []).map(({ key, option }) => ({ text: key, label: option }))
  const isList = target.type === 'multi_select'
  return (target.options ?? []).map((option) => ({
    text: isList ? quoteEntry(option) : option,
    label: option,
  }))
}

/** An entry of a list that contains a separator is in quotes. */
function quoteEntry(text: string): string {
  return /[,;|\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function toChoices(labels: Readonly<Record<string, string>>): readonly MendChoice[] {
  return Object.entries(labels).map(([text, label]) => ({ text, label }))
}
