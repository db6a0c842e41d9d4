import type { Listing } from '../../engine/list-query.ts'
import { toPageMeta } from '../../engine/list-query.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { FieldErrors } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { resourceOf } from './bulk-kinds.ts'
import { type BulkFailure, BulkParts } from './bulk-parts.ts'
import type { BulkProgress } from './bulk-view.ts'

/** A record that a bulk change, or its reversal, has left as it was. */
export interface BulkFailureView {
  readonly id: string
  /** Null for a record that the caller does not see, or that was deleted. */
  readonly name: string | null
  readonly step: 'change' | 'reversal'
  readonly code: string
  readonly message: string
  /** The rules that fields break, if it is about fields. */
  readonly fields: FieldErrors | null
}

/** Those of the change come before those of the reversal. */
export async function listFailures(
  { bulk, change, reversal }: BulkProgress,
  query: { readonly page: number; readonly per_page: number },
  transaction: WorkspaceTransaction,
): Promise<Listing<BulkFailureView>> {
  const [first, second] = [change.refused, reversal?.refused ?? 0]
  const start = (query.page - 1) * query.per_page
  const end = Math.min(first + second, start + query.per_page)
  const numbers = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
  const parts = new BulkParts(bulk.id, transaction)
  const data: BulkFailureView[] = []
  for (const [step, of] of [
    ['change', numbers.filter((number) => number < first)],
    ['reversal', numbers.filter((number) => number >= first).map((number) => number - first)],
  ] as const) {
    const failures = (await parts.readMany<BulkFailure>(step, of)).flat()
    const names = await loadNames(
      bulk.kind,
      failures.map(({ id }) => id),
      transaction,
    )
    data.push(
      ...failures.map(({ id, code, message, fields = null }) => ({
        ...{ id, name: names.get(id) ?? null, step, code, message, fields },
      })),
    )
  }
  return { data, meta: toPageMeta(query, first + second) }
}

async function loadNames(
  kind: FilteredKind,
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, string>> {
  const records = ids.length === 0 ? [] : await resourceOf(kind).store(stores).getMany(ids)
  return new Map(
    records.map((record) => {
      const { full_name, name, title } = record as RecordBase & Readonly<Record<string, string | undefined>>
      return [record.id, full_name ?? name ?? title ?? '']
    }),
  )
}
