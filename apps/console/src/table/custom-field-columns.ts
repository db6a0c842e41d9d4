import type { CustomFieldValue } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { findCustomValue, formatCustomValue } from '../records/facts/custom-values.ts'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import type { Kind } from '../records/kinds.ts'
import { useCustomFields } from '../reference/use-custom-fields.ts'
import type { Column } from './column.ts'

/** A column for each custom field of a kind, shown when it is chosen. */
export function useCustomFieldColumns<Row extends { readonly custom_fields: readonly CustomFieldValue[] }>(
  kind: Kind,
): readonly Column<Row>[] {
  const { dates, formatNumber } = useConsole()
  const fields = useCustomFields()
  return fieldsOfKind(fields.data ?? [], kind).map((field) => ({
    key: field.key,
    label: field.label,
    isNumber: field.type === 'number',
    isDefault: false,
    render: (row: Row) => {
      const value = findCustomValue(row, field.key)
      return value === undefined ? '—' : formatCustomValue(field, value, { dates, formatNumber })
    },
  }))
}
