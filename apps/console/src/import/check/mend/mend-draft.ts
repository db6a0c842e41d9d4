import type { Import, ImportChanges } from '@sales-crm/client'

/** What is chosen for a column and not applied yet. */
export interface ColumnMend {
  /** What values of the check become; null for an empty cell. */
  readonly choices: ReadonlyMap<string, string | null>
  /** Undefined if it stays as it is. */
  readonly if_invalid?: ImportColumn['if_invalid'] | undefined
}

type ImportColumn = Import['columns'][number]

/** By the index of the column. */
export type MendDraft = ReadonlyMap<number, ColumnMend>

export function countChoices(draft: MendDraft): number {
  return [...draft.values()].reduce(
    (sum, { choices, if_invalid }) => sum + choices.size + (if_invalid === undefined ? 0 : 1),
    0,
  )
}

export function toChanges(
  draft: MendDraft,
  columns: readonly ImportColumn[],
): NonNullable<ImportChanges['columns']> {
  return [...draft].map(([column, { choices, if_invalid }]) => ({
    column,
    ...(choices.size > 0 && { replace: mergeReplacements(columns[column]?.replace ?? [], choices) }),
    ...(if_invalid !== undefined && { if_invalid }),
  }))
}

/**
 * Adds choices to the replacements of a column. A value of the check may be what another one was replaced by: that one
 * becomes the choice, since the service replaces no text twice.
 */
export function mergeReplacements(
  before: ImportColumn['replace'],
  choices: ColumnMend['choices'],
): ImportColumn['replace'] {
  const redirected = before.map((each) => {
    const to = each.to === null ? undefined : choices.get(each.to)
    return to === undefined ? each : { ...each, to }
  })
  const kept = redirected.filter(({ from }) => !choices.has(from))
  return [...kept, ...[...choices].map(([from, to]) => ({ from, to }))]
}
