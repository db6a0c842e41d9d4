import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import type { StageType } from './stage-draft.ts'

export interface NamedField {
  /** At the API. */
  readonly name: string
  readonly label: string
}

/** The fields that a stage of the type can require. */
export function useRequirableFields(type: StageType): readonly NamedField[] {
  const { labels } = useConsole().texts
  const customFields = (useMenu('customFields').data ?? []).filter((field) => field.show_deals)
  return [
    { name: 'amount', label: labels.amount },
    { name: 'forecast_date', label: labels.forecast },
    { name: 'company', label: labels.company },
    { name: 'person', label: labels.person },
    { name: 'owner', label: labels.owner },
    { name: 'source', label: labels.source },
    { name: 'tags', label: labels.tags },
    { name: 'lists', label: labels.lists },
    ...(type === 'lost'
      ? [
          { name: 'lost_reason', label: labels.lostReason },
          { name: 'lost_note', label: labels.lostNote },
        ]
      : []),
    ...customFields.map(({ key, label }) => ({ name: `custom_fields.${key}`, label })),
  ]
}
