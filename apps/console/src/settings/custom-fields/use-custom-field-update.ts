import type { CustomField, CustomFieldChanges } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { useSettingsTexts } from '../texts.ts'

export type UpdateCustomField = (changes: CustomFieldChanges, onError?: (error: unknown) => void) => void

/** Changes a custom field, shown at once. */
export function useCustomFieldUpdate(field: CustomField): UpdateCustomField {
  const { crm } = useConsole()
  const settings = useSettingsTexts()
  const change = useChange()

  function buildChange(changes: CustomFieldChanges, onError?: (error: unknown) => void): Change {
    return {
      ids: [field.id],
      send: (call) => call(field.id, () => crm.customFields.update(field.id, changes)),
      patchOf: (id) => (data, queryKey) =>
        queryKey[0] === 'customFields' ? patchRecord(id, changes)(data, queryKey) : data,
      done: settings.changed(changes.label ?? field.label),
      undo: () => buildChange(invertChanges(field, changes)),
      onError,
    }
  }

  return (changes, onError) => change(buildChange(changes, onError))
}

function invertChanges(field: CustomField, changes: CustomFieldChanges): CustomFieldChanges {
  const before = Object.keys(changes).map((name) => [name, field[name as keyof CustomField]])
  return Object.fromEntries(before) as CustomFieldChanges
}
