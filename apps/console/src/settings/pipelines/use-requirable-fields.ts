import { useConsole } from '../../app/console-context.ts'
import { DEAL_FIELDS } from '../../fields/deal-fields.tsx'
import { listsColumn, tagsColumn } from '../../fields/label-fields.tsx'
import { useMenu } from '../../reference/queries.ts'
import type { StageType } from './stage-draft.ts'

export interface NamedField {
  /** At the API. */
  readonly name: string
  readonly label: string
}

/** The name of a deal is never empty. */
const OPTIONAL_FIELDS = [...DEAL_FIELDS.facts.filter(({ name }) => name !== 'name'), tagsColumn, listsColumn]

/** The fields that a stage of the type can require. */
export function useRequirableFields(type: StageType): readonly NamedField[] {
  const { texts } = useConsole()
  const { labels } = texts
  const customFields = (useMenu('customFields').data ?? []).filter((field) => field.show_deals)
  return [
    ...OPTIONAL_FIELDS.map(({ name, label }) => ({ name, label: label(texts) })),
    ...(type === 'lost'
      ? [
          { name: 'lost_reason', label: labels.lostReason },
          { name: 'lost_note', label: labels.lostNote },
        ]
      : []),
    ...customFields.map(({ key, label }) => ({ name: `custom_fields.${key}`, label })),
  ]
}
