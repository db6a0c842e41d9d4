import { useEffect, useState } from 'preact/hooks'
import type { ImportKind } from '../can-import.ts'
import type { RowReading } from '../rows/read-rows.ts'
import { companyKey, draftKeys } from './identity.ts'
import type { Indexes } from './use-indexes.ts'

export interface RecordLookup {
  /** False while it is not known yet which records are there. */
  readonly isComplete: boolean
  /** How far the search is, of the records or of what they are found by. */
  readonly done: number
  readonly total: number
  /** Changes when more is known. */
  readonly version: number
  readonly error: unknown
  readonly retry: () => void
}

/** Looks for the records that the rows may be, and for their companies. */
export function useLookup(
  kind: ImportKind,
  readings: readonly RowReading[],
  { records, companies }: Indexes,
): RecordLookup {
  const [version, setVersion] = useState(0)
  const [error, setError] = useState<unknown>()
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const show = (failure?: unknown) => {
      if (!isCurrent) return
      setError(failure)
      setVersion((before) => before + 1)
    }
    const keys = readings.flatMap(({ draft }) => draftKeys(kind, draft))
    const showProgress = (done: number, total: number) => isCurrent && setProgress({ done, total })
    Promise.all([
      records.lookFor(keys, showProgress),
      companies.lookFor(companyKeys(readings), showProgress),
    ]).then(() => show(), show)
    return () => {
      isCurrent = false
    }
  }, [kind, readings, records, companies, attempt])
  return {
    isComplete:
      records.hasLookedFor(readings.flatMap(({ draft }) => draftKeys(kind, draft))) &&
      companies.hasLookedFor(companyKeys(readings)),
    ...progress,
    version,
    error,
    retry: () => setAttempt(attempt + 1),
  }
}

function companyKeys(readings: readonly RowReading[]): readonly string[] {
  return readings.flatMap(({ draft }) => (draft.company ? [companyKey(draft.company)] : []))
}
