import type { Input } from '../../../engine/patch.ts'
import type { RecordDraft } from '../rows/record-draft.ts'
import type { RowState } from './row-state.ts'

/** The input of a write: the fields of a draft, with links to the other records of its row. */
export function buildInput(draft: RecordDraft, row: RowState): Input {
  const {
    kind,
    fields: { id: _id, ...fields },
    customValues,
  } = draft
  const entries = Object.entries(customValues).map(([key, value]) => ({ key, value }))
  return {
    ...fields,
    ...row.linksOf(kind),
    ...(entries.length > 0 && { custom_fields: entries }),
  }
}
