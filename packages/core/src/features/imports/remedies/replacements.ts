import { validationError } from '../../../kernel/errors.ts'
import { foldName } from '../../../kernel/fold-text.ts'
import type { ImportColumn, Replacement } from '../import-record.ts'
import { shorten } from '../rows/record-draft.ts'
import type { ReplaceText } from './replace-text.ts'

/** Of all columns of an import, which are read with it at each step. */
const MAX_REPLACEMENTS = 2000

/** Undefined if nothing is replaced, so that cells of other columns cost nothing. */
export function compileReplacements(replace: readonly Replacement[]): ReplaceText | undefined {
  if (replace.length === 0) return undefined
  const texts = new Map(replace.map(({ from, to }) => [foldValue(from), (to ?? '').trim()]))
  return (text) => texts.get(foldValue(text))
}

/** Equal for values that a replacement does not tell apart: those that are shown alike, or have the same words. */
export function foldValue(value: string): string {
  const shown = shorten(value.trim())
  return foldName(shown) || shown
}

/** Of equal texts the last one counts. */
export function dropRepeated(replace: readonly Replacement[]): readonly Replacement[] {
  return [...new Map(replace.map((each) => [foldValue(each.from), each])).values()]
}

/** @throws CrmError `validation_error` */
export function checkReplacements(columns: readonly ImportColumn[]): void {
  const count = columns.reduce((sum, { replace }) => sum + replace.length, 0)
  if (count > MAX_REPLACEMENTS)
    throw validationError({ columns: `Must have at most ${MAX_REPLACEMENTS} replacements together.` })
}
