import type { CustomField } from '@sales-crm/client'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { optionsOf } from '../../records/facts/custom-values.ts'
import { deriveOptionKey } from '../../settings/custom-fields/field-rules.ts'
import type { Target } from '../columns/target.ts'
import type { Problem } from '../rows/problem.ts'
import { useImportTexts } from '../texts.ts'

interface NameCreation {
  readonly label: string
  readonly run: () => void
}

/** Creates the option or the tag that a problem names, if it names one and the member may create it. */
export function useNameCreation(
  { column, reason, texts: names }: Problem,
  columns: readonly (Target | undefined)[],
): NameCreation | undefined {
  const { crm, me } = useConsole()
  const { problems } = useImportTexts()
  const makeChange = useChange()
  const [name = ''] = names
  const target = column === undefined ? undefined : columns[column]
  if (names.length !== 1) return undefined
  if (reason === 'noTag')
    return {
      label: problems.addTag(name),
      run: () => makeChange({ send: () => crm.tags.create({ name }) }),
    }
  if (reason !== 'noOption' || target?.kind !== 'field' || !isAdmin(me)) return undefined
  const { field } = target
  return {
    label: problems.addOption(name),
    run: () =>
      makeChange({ send: () => crm.customFields.update(field.id, { value: withOption(field, name) }) }),
  }
}

function withOption(field: CustomField, option: string) {
  const options = optionsOf(field)
  return { select_list: [...options, { key: deriveOptionKey(option, options), option }] }
}
