import type { Texts } from '../texts/en.ts'
import type { Target } from './columns/target.ts'
import type { RowFault, RowReading } from './rows/read-rows.ts'
import type { Progress } from './run/progress.ts'
import { shortLabel } from './target-label.ts'
import type { ImportTexts } from './texts-en.ts'

export interface FaultWords {
  readonly columns: readonly (Target | undefined)[]
  readonly texts: ImportTexts
  readonly shared: Texts
}

/** `Segment: no such option` */
export function faultTitle(
  { column, reason }: Pick<RowFault, 'column' | 'reason'>,
  { columns, texts, shared }: FaultWords,
): string {
  const words = typeof reason === 'string' ? texts.problems.faults[reason] : reason.message
  const target = column === undefined ? undefined : columns[column]
  if (target) return `${shortLabel(target, texts, shared)}: ${words}`
  return reason === 'noName' ? `${texts.shortTargets.name}: ${words}` : words
}

/** Why each row is left out, by its number. */
export function leftOutReasons(
  readings: readonly RowReading[],
  { outcomes }: Progress,
  words: FaultWords,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>()
  const add = (row: number, faults: readonly RowFault[]) => {
    const sentences = faults.map((fault) => {
      const title = faultTitle(fault, words)
      return fault.text === '' ? title : `${title} (${fault.text})`
    })
    if (sentences.length > 0) reasons.set(row, sentences.join('; '))
  }
  for (const { row, faults } of readings) add(row.number, faults)
  for (const [row, outcome] of outcomes) if (outcome.status === 'refused') add(row, outcome.faults)
  return reasons
}
