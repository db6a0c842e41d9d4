import type { Import, ImportChanges } from '@sales-crm/client'

/** Shows changes before the service has confirmed them. What it works out, such as the kinds, follows. */
export function applyChanges(before: Import, changes: ImportChanges): Import {
  const { columns = [], ...rules } = changes
  const after = [...before.columns]
  for (const { column, target, number_format, date_order, replace, if_invalid } of columns) {
    const current = after[column]
    if (!current) continue
    after[column] = {
      ...current,
      ...(target !== undefined && { target: target as (typeof current)['target'], reason: null }),
      ...(number_format !== undefined && { number_format, is_ambiguous: false }),
      ...(date_order !== undefined && { date_order, is_ambiguous: false }),
      ...(replace !== undefined && { replace }),
      ...(if_invalid !== undefined && { if_invalid }),
    }
  }
  return { ...before, ...(rules as Partial<Import>), columns: after }
}
