import { type ColumnProposal, type FileColumn, isNewField } from './target.ts'

/** A workspace has 500, and someone looks through those that are proposed. */
const MAX_NEW_FIELDS = 30

/** Leaves columns out that would make more custom fields than that: those with the fewest values. Consent stays. */
export function limitNewFields(
  proposals: readonly ColumnProposal[],
  columns: readonly FileColumn[],
): readonly ColumnProposal[] {
  const makesField = ({ target, reason }: ColumnProposal) =>
    target !== null && isNewField(target) && reason.code !== 'consent'
  const countOf = ({ column }: ColumnProposal) =>
    columns[column]!.values.filter((value) => value.trim() !== '').length
  const fullest = proposals
    .filter(makesField)
    .map((proposal) => ({ proposal, count: countOf(proposal) }))
    .toSorted((a, b) => b.count - a.count)
  const extra = new Set(fullest.slice(MAX_NEW_FIELDS).map(({ proposal }) => proposal))
  return proposals.map((proposal) =>
    extra.has(proposal) ? { ...proposal, target: null, reason: { code: 'too_many_fields' } } : proposal,
  )
}
