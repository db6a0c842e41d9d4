import * as v from 'valibot'
import { type Filters, type ListOrder, querySchema } from '../../engine/list-query.ts'
import { jsonSchema } from '../../kernel/text-schemas.ts'
import { CUSTOM_PREFIX } from '../../schema/custom-field.ts'
import type { KindName } from '../../schema/index.ts'
import { isCustomFieldKind } from '../custom-fields/custom-values.ts'
import { listColumnNames } from './columns.ts'
import { EXPORT_FORMATS } from './export-format.ts'

interface ExportedResource<OrderBy extends string, F extends Filters<never>> {
  readonly collection: KindName
  readonly orderBy: readonly [OrderBy, ...OrderBy[]]
  readonly filters: F
  readonly listOrder?: ListOrder | undefined
}

/** The query of an export: the filters and the order of the list, the format and the columns. */
export function exportQuery<OrderBy extends string, F extends Filters<never>>({
  collection,
  orderBy,
  filters,
  listOrder,
}: ExportedResource<OrderBy, F>) {
  const { page: _page, per_page: _perPage, ...entries } = querySchema(orderBy, filters, listOrder).entries
  const format = v.picklist(EXPORT_FORMATS, `Must be one of: ${EXPORT_FORMATS.join(', ')}.`)
  return v.object({
    ...entries,
    format: v.optional(format, EXPORT_FORMATS[0]),
    columns: v.optional(columnsParameter(collection)),
  })
}

/** Names of fields, separated by commas. */
function columnsParameter(kind: KindName) {
  const names = listColumnNames(kind)
  const ofCustom = isCustomFieldKind(kind) ? [`${CUSTOM_PREFIX}<key>`] : []
  const isName = (name: string) =>
    names.includes(name) || (ofCustom.length > 0 && name.startsWith(CUSTOM_PREFIX))
  return v.pipe(
    v.string('Must be a string.'),
    v.check(
      (text) => text.split(',').every(isName),
      `Must be one or more of, separated by commas: ${[...names, ...ofCustom].join(', ')}.`,
    ),
    v.check((text) => !namesTwice(text.split(',')), 'Must name each column once.'),
    jsonSchema({ type: 'string' }),
    v.transform((text): readonly string[] => text.split(',')),
  )
}

/** True also for a custom field beside all of them. */
function namesTwice(names: readonly string[]): boolean {
  const hasAllCustom = names.includes('custom_fields')
  return (
    new Set(names).size < names.length ||
    (hasAllCustom && names.some((name) => name.startsWith(CUSTOM_PREFIX)))
  )
}
