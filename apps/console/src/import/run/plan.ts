import type { ImportKind } from '../can-import.ts'
import type { RowReading } from '../rows/read-rows.ts'
import { companyKey, draftKeys } from './identity.ts'

/** Knows which records there are. */
interface KnownRecords {
  idOf(key: string): string | undefined
}

export interface Plan {
  /** The rows that will be brought in. */
  readonly rows: readonly PlannedRow[]
  readonly created: number
  readonly updated: number
  /** Companies of people that will be created. */
  readonly newCompanies: number
  readonly foundCompanies: number
  readonly leftOut: number
}

export interface PlannedRow extends RowReading {
  readonly isUpdate: boolean
}

export interface PlanOptions {
  readonly kind: ImportKind
  /** True if a record that is there is changed. */
  readonly updates: boolean
  readonly records: KnownRecords
  readonly companies: KnownRecords
}

/** Says what will happen to each row. A row may update what an earlier row creates. */
export function planRows(readings: readonly RowReading[], options: PlanOptions): Plan {
  const { kind, updates, records, companies } = options
  const keys = new Set<string>()
  const rows = readings
    .filter(({ errors }) => errors.length === 0)
    .map((reading): PlannedRow => {
      const own = draftKeys(kind, reading.draft)
      const isUpdate = updates && own.some((key) => keys.has(key) || records.idOf(key) !== undefined)
      for (const key of own) keys.add(key)
      return { ...reading, isUpdate }
    })
  const names = new Set(rows.flatMap(({ draft }) => (draft.company ? [companyKey(draft.company)] : [])))
  const newCompanies = [...names].filter((name) => companies.idOf(name) === undefined).length
  const updated = rows.filter(({ isUpdate }) => isUpdate).length
  return {
    rows,
    updated,
    created: rows.length - updated,
    newCompanies,
    foundCompanies: names.size - newCompanies,
    leftOut: readings.length - rows.length,
  }
}
