import type { CustomField, CustomFieldChanges } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { mapRecords } from '../../cache/map-records.ts'
import { changeCache } from '../../cache/optimistic-change.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { useSettingsTexts } from '../texts.ts'

export type UpdateCustomField = (changes: CustomFieldChanges, onFault?: (error: unknown) => void) => void

/** Changes a custom field, shown at once. */
export function useCustomFieldUpdate(field: CustomField): UpdateCustomField {
  const { crm } = useConsole()
  const settings = useSettingsTexts()
  const change = useChange()

  function buildChange(changes: CustomFieldChanges, onFault?: (error: unknown) => void): Change {
    return {
      send: () => crm.customFields.update(field.id, changes),
      show: (client) =>
        changeCache(client, (data, [kind]) =>
          kind === 'customFields'
            ? mapRecords(data, field.id, (record) => ({ ...record, ...changes }))
            : data,
        ),
      done: settings.changed(changes.label ?? field.label),
      undo: () => buildChange(invertChanges(field, changes)),
      onFault,
    }
  }

  return (changes, onFault) => change(buildChange(changes, onFault))
}

function invertChanges(field: CustomField, changes: CustomFieldChanges): CustomFieldChanges {
  const before = Object.keys(changes).map((name) => [name, field[name as keyof CustomField]])
  return Object.fromEntries(before) as CustomFieldChanges
}
