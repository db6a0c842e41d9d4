import type { ImportKind } from '../src/features/imports/columns/import-kind.ts'
import { proposeColumns } from '../src/features/imports/columns/propose-columns.ts'
import { type ColumnProposal, isNewField, type KnownField } from '../src/features/imports/columns/target.ts'
import type { CustomFieldType } from '../src/schema/custom-field-types.ts'

/** @param shown the kinds that have the field */
export function createField(
  key: string,
  label: string,
  type: CustomFieldType = 'text',
  shown: readonly ImportKind[] = ['people', 'companies'],
): KnownField {
  return {
    ...{ key, label, type, show_people: shown.includes('people') },
    ...{ show_companies: shown.includes('companies'), show_deals: shown.includes('deals') },
  }
}

export const ADDRESS = createField('address', 'Address', 'address')

export interface FileOptions {
  readonly customFields?: readonly KnownField[]
  readonly kind?: ImportKind
}

/** Splits lines of cells that are separated by commas, without quotes, into columns. */
export function parseColumns(file: string) {
  const [headers = [], ...rows] = file.split('\n').map((line) => line.split(','))
  return headers.map((name, column) => ({ name, values: rows.map((row) => row[column] ?? '') }))
}

export function proposeFile(file: string, { customFields = [], ...options }: FileOptions = {}) {
  return proposeColumns(parseColumns(file), { customFields, ...options })
}

/** Writes what a column becomes, such as `people position` or `new people text`, or why it is left out. */
export function describeTarget({ target, reason }: ColumnProposal): string {
  if (!target) return reason.code
  if (isNewField(target)) return `new ${target.kind} ${target.type}`
  return `${target.kind} ${target.field}${target.source ? ` of ${target.source}` : ''}`
}

export function describeFile(file: string, options?: FileOptions): readonly string[] {
  return proposeFile(file, options).map(describeTarget)
}
