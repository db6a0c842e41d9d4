import type { ScannedRecord, ScanQuery } from '../../kernel/record-queries.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Row } from './archived-collections.ts'

/** Records of a page: some megabytes at most. */
const PAGE_SIZE = 500
const PAGE_SIZES: Readonly<Record<string, number>> = { activities: 50, deal_offers: 10, files: 4 }

export async function* scanPages(
  stores: WorkspaceStores,
  collection: string,
  state: ScanQuery['state'],
): AsyncGenerator<readonly ScannedRecord<Row>[]> {
  const store = stores[collection as keyof WorkspaceStores] as unknown as RecordStore<Row>
  const limit = PAGE_SIZES[collection] ?? PAGE_SIZE
  for (let after: string | null = null; ; ) {
    const page: readonly ScannedRecord<Row>[] = await store.scan({ state, after, limit })
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = page.at(-1)!.record.id
  }
}
