import type { CustomField, CustomFieldValue } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { KindFields, RecordField } from '../fields/field.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { findCustomValue, formatCustomValue } from '../records/facts/custom-values.ts'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import { type CreatableKind, type Kind, recordName } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'
import type { Column } from './column.ts'

/** The columns of a table of records. */
export function useColumns<Row extends { readonly id: string }>(
  kind: CreatableKind,
  fields: KindFields<Row>,
): readonly Column<Row>[] {
  const { texts } = useConsole()
  const toColumn = (field: RecordField<Row>, isDefault: boolean): Column<Row> => ({
    key: field.name,
    label: (field.columnLabel ?? field.label)(texts),
    ...(field.order && { orderBy: field.name, firstOrder: field.order }),
    ...(field.isNumber && { isNumber: true }),
    ...(field.include !== undefined && { include: field.include }),
    exportFields: field.exportFields ?? [field.name],
    isDefault,
    render: (row) => <FieldValue isCell kind={kind} field={field} row={row} />,
  })
  return [
    ...fields.columns.map((field) => toColumn(field, true)),
    ...fields.moreColumns.map((field) => toColumn(field, false)),
  ]
}

/** The columns of records that have a page: their names lead there, and are edited there. Custom fields follow. */
export function usePageColumns<
  Row extends { readonly id: string; readonly custom_fields: readonly CustomFieldValue[] },
>(kind: Kind, fields: KindFields<Row>): readonly Column<Row>[] {
  const [name, ...others] = useColumns(kind, fields)
  return [
    { ...name!, render: (row) => recordName(row as Parameters<typeof recordName>[0]) },
    ...others,
    ...useCustomFieldColumns<Row>(kind),
  ]
}

/** True for custom fields whose values have an order. */
function hasOrder(type: CustomField['type']): boolean {
  return type !== 'multi_select' && type !== 'address'
}

/** A column for each custom field of a kind, shown when it is chosen. */
function useCustomFieldColumns<Row extends { readonly custom_fields: readonly CustomFieldValue[] }>(
  kind: Kind,
): readonly Column<Row>[] {
  const { dates, formatNumber } = useConsole()
  const fields = useMenu('customFields')
  return fieldsOfKind(fields.data ?? [], kind).map((field) => ({
    key: `custom_fields.${field.key}`,
    label: field.label,
    ...(hasOrder(field.type) && { orderBy: `custom_fields.${field.key}` }),
    isNumber: field.type === 'number',
    exportFields: [`custom_fields.${field.key}`],
    isDefault: false,
    render: (row: Row) => {
      const value = findCustomValue(row, field.key)
      return value === undefined ? '—' : formatCustomValue(field, value, { dates, formatNumber })
    },
  }))
}
