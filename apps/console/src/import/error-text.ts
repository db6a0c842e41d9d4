import type { Texts } from '../texts/en.ts'
import type { Target } from './columns/target.ts'
import type { RowError, RowReading } from './rows/read-rows.ts'
import type { Progress } from './run/progress.ts'
import { shortLabel } from './target-label.ts'
import type { ImportTexts } from './texts-en.ts'

export interface ErrorWords {
  readonly columns: readonly (Target | undefined)[]
  readonly texts: ImportTexts
  readonly shared: Texts
}

/** `Segment: no such option` */
export function errorTitle(
  { column, reason }: Pick<RowError, 'column' | 'reason'>,
  { columns, texts, shared }: ErrorWords,
): string {
  const words = typeof reason === 'string' ? texts.problems.errors[reason] : reason.message
  const target = column === undefined ? undefined : columns[column]
  if (target) return `${shortLabel(target, texts, shared)}: ${words}`
  return reason === 'noName' ? `${texts.shortTargets.name}: ${words}` : words
}

/** Why each row is left out, by its number. */
export function leftOutReasons(
  readings: readonly RowReading[],
  { outcomes }: Progress,
  words: ErrorWords,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>()
  const add = (row: number, errors: readonly RowError[]) => {
    const sentences = errors.map((error) => {
      const title = errorTitle(error, words)
      return error.text === '' ? title : `${title} (${error.text})`
    })
    if (sentences.length > 0) reasons.set(row, sentences.join('; '))
  }
  for (const { row, errors } of readings) add(row.number, errors)
  for (const [row, outcome] of outcomes) if (outcome.status === 'refused') add(row, outcome.errors)
  return reasons
}
