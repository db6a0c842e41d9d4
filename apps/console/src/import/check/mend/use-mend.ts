import type { Import } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useImportStep } from '../../queries.ts'
import { type ColumnMend, countChoices, type MendDraft, toChanges } from './mend-draft.ts'

const NOTHING: MendDraft = new Map()
const NO_CHOICES: ColumnMend = { choices: new Map() }

/** By the id of the import. What is chosen outlasts the page: it is left to invite somebody, or for another step. */
const drafts = new Map<string, MendDraft>()

export interface Mend {
  readonly draft: MendDraft
  /** Choices that are not applied yet. */
  readonly count: number
  readonly isPending: boolean
  /** Undefined takes the choice back. */
  choose(column: number, value: string, text: string | null | undefined): void
  setInvalid(column: number, mode: ColumnMend['if_invalid']): void
  /** Applies the choices of all columns, and checks again. */
  apply(): void
  /** Ends the remedies of a column that are applied, and checks again. */
  reset(column: number): void
}

export function useMend({ id, columns }: Import): Mend {
  const [draft, setDraft] = useState(() => {
    const entries = [...(drafts.get(id) ?? NOTHING)]
    // Meanwhile the column may have been left out, or the file read in another way.
    return new Map(entries.filter(([column]) => columns[column]?.target))
  })
  const step = useImportStep(id)
  const change = (column: number, changes: Partial<ColumnMend>) => {
    const next = new Map(draft)
    const mend = { ...NO_CHOICES, ...draft.get(column), ...changes }
    if (mend.choices.size === 0 && mend.if_invalid === undefined) next.delete(column)
    else next.set(column, mend)
    drafts.set(id, next)
    setDraft(next)
  }
  return {
    draft,
    count: countChoices(draft),
    isPending: step.isPending,
    choose(column, value, text) {
      const choices = new Map(draft.get(column)?.choices)
      if (text === undefined) choices.delete(value)
      else choices.set(value, text)
      change(column, { choices })
    },
    setInvalid: (column, mode) =>
      change(column, { if_invalid: mode === columns[column]?.if_invalid ? undefined : mode }),
    apply: () =>
      step.mutate(async (imports) => {
        if (draft.size > 0) await imports.update(id, { columns: toChanges(draft, columns) })
        const checking = await imports.check(id)
        // The page shows the check before the call is over.
        drafts.delete(id)
        return checking
      }),
    reset: (column) =>
      step.mutate(async (imports) => {
        await imports.update(id, { columns: [{ column, replace: [], if_invalid: 'refuse' }] })
        return imports.check(id)
      }),
  }
}
