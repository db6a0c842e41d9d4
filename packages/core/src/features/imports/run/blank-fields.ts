import type { ImportKind } from '../columns/import-kind.ts'
import type { RecordDraft } from '../rows/record-draft.ts'

/**
 * A draft without the fields that a rule of the API refuses; undefined if the columns of one of them do not allow it, or
 * the draft has no such value.
 * @param paths of the refused fields, such as `emails[1].email` and `custom_fields.size`
 */
export function blankFields(
  draft: RecordDraft,
  paths: readonly string[],
  isBlank: (kind: ImportKind, field: string) => boolean,
): RecordDraft | undefined {
  const fields = { ...draft.fields }
  const customValues = { ...draft.customValues }
  const names = paths.map(fieldOfPath)
  for (const name of names) {
    const [field = '', key] = name.split('.')
    const values = key === undefined ? fields : customValues
    if (!isBlank(draft.kind, name) || values[key ?? field] === undefined) return undefined
  }
  for (const name of names) {
    const [field = '', key] = name.split('.')
    if (key === undefined) delete fields[field]
    else delete customValues[key]
  }
  return paths.length === 0
    ? undefined
    : { ...draft, fields, customValues, empty: [...draft.empty, ...names] }
}

/** `custom_fields.size[1]` is a value of `custom_fields.size`. */
export function fieldOfPath(path: string): string {
  const [field = '', key] = path.split(/[.[]/)
  return field === 'custom_fields' && key !== undefined ? `${field}.${key}` : field
}
