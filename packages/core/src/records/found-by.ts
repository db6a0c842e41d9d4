import type { CustomValues } from '../custom-fields/custom-values.ts'
import type { Condition } from '../ports.ts'
import { joinedWords } from './words.ts'

interface Marked {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
}

/** Marks begin with an underscore, which no word of a text does: nobody comes upon them by searching. */
export function tagMark(id: string): string {
  return `_tag_${plain(id)}`
}

export function listMark(id: string): string {
  return `_list_${plain(id)}`
}

export function optionMark(fieldId: string, option: string): string {
  return `_option_${plain(fieldId)}_${option}`
}

/** What a record is found by: `words`, and a mark for whatever it holds. */
export function foundBy(words: readonly string[], { tag_ids, list_ids, custom_values }: Marked): string {
  return joinedWords([...words, ...tag_ids.map(tagMark), ...list_ids.map(listMark), ...optionMarks(custom_values)])
}

/** The record holds the mark. */
export function holding<R extends { readonly found_by: string }>(mark: string): Condition<R> {
  return { field: 'found_by', holds: mark }
}

/** Only options are kept in lists. */
function optionMarks(values: CustomValues): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) => {
    return Array.isArray(value) ? value.map((option: string) => optionMark(fieldId, option)) : []
  })
}

function plain(id: string): string {
  return id.replaceAll('-', '')
}
