/** A row of a file. */
export interface SheetRow {
  /** As spreadsheets count: the heads are row 1. */
  readonly number: number
  /** As many as there are heads. */
  readonly cells: readonly string[]
}

export interface Sheet {
  readonly heads: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly delimiter: string
}

/** Why a file cannot be brought in. */
export type SheetError =
  | { readonly code: 'empty' | 'onlyHeads' | 'tooManyRows' | 'tooLarge' | 'unreadable' }
  | { readonly code: 'tooManyCells' | 'openQuote'; readonly row: number }

export const MAX_ROWS = 10_000
export const MAX_BYTES = 20_000_000
