import type { ImportListItem } from '@sales-crm/client'
import type { OutcomeTexts } from '../../import/texts/outcomes-en.ts'

type Outcome = Pick<ImportListItem, 'state' | 'rows' | 'done' | 'rows_with_problems' | 'reversal'>

/** What came of an import, in a few words. Undefined before it has begun. */
export function describeOutcome(
  { state, rows, done, rows_with_problems, reversal }: Outcome,
  list: OutcomeTexts['list'],
): string | undefined {
  if (state === 'reverted') return reversal && reversal.kept > 0 ? list.kept(reversal.kept) : undefined
  if ((state === 'running' || state === 'paused') && rows)
    return list.progress(Math.floor((100 * done) / rows))
  if (state === 'reverting' && reversal && reversal.records > 0)
    return list.progress(Math.floor((100 * reversal.done) / reversal.records))
  if (state !== 'done' && state !== 'cancelled') return undefined
  const parts = [list.in(done - rows_with_problems)]
  if (rows_with_problems > 0) parts.push(list.leftOut(rows_with_problems))
  return parts.join(', ')
}
