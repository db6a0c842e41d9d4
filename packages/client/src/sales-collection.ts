import { type BulkCall, createBulkCall } from './bulk-calls.ts'
import { createExportCall, type ExportCall } from './export-call.ts'
import { createFollowCalls, type FollowCalls } from './notification-calls.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordCollection } from './record-collection.ts'
import type { RecordTypes, Resource } from './record-types.ts'
import { type AssociatedCollection, withAssociations } from './report-calls.ts'
import { createShareCalls, type ShareCalls } from './share-calls.ts'
import { createWriteCalls, type WriteCalls } from './write-calls.ts'

/** People, companies or deals, with all that is done with them. */
export interface SalesCollection<Types extends RecordTypes, Upsert, NewBulkChange>
  extends AssociatedCollection<Types>,
    WriteCalls<Upsert, Types['record']>,
    BulkCall<NewBulkChange>,
    ExportCall<Types['query'], Types['record']>,
    ShareCalls,
    FollowCalls {}

export function createSalesCollection<Types extends RecordTypes, Upsert, NewBulkChange>(
  collection: RecordCollection<Types>,
  calls: RecordCalls,
  { path }: Resource,
): SalesCollection<Types, Upsert, NewBulkChange> {
  return {
    ...withAssociations(collection, calls, path),
    ...createWriteCalls(calls, path),
    ...createBulkCall(calls, path),
    ...createExportCall(calls, path),
    ...createShareCalls(calls, path),
    ...createFollowCalls(calls, path),
  }
}
