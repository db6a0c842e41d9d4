import { COLLECTION_RULES } from '../../engine/visible-records.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Viewer } from '../../kernel/visibility.ts'
import { type Collection, toCollection } from '../../schema/index.ts'
import type { Subject } from '../../schema/snapshot.ts'

/** The columns that decide who sees a record. */
const DECIDING_COLUMNS = ['owner_user_id', 'shares', 'person_id', 'company_id', 'deal_id']

/** Returns null for a record that all see. */
export function toSubject(collection: string, record: RecordBase): Subject | null {
  if (!COLLECTION_RULES[collection as Collection]) return null
  const { id, created_at, updated_at } = record
  const columns = Object.entries(record).filter(([name]) => DECIDING_COLUMNS.includes(name))
  return { collection, record: { id, created_at, updated_at, ...Object.fromEntries(columns) } }
}

/** By the record as it is now, or as it was when it was deleted. */
export async function isSubjectVisible(
  subject: Subject | null,
  viewer: Viewer,
  { service }: WorkspaceTransaction,
): Promise<boolean> {
  if (!subject) return true
  const collection = toCollection(subject.collection)
  const rule = COLLECTION_RULES[collection]?.(viewer, service.stores)
  if (!rule) return true
  const store = service.stores[collection] as unknown as RecordStore<RecordBase>
  const record = (await store.get(subject.record.id)) ?? subject.record
  return (await rule.filter([record as Subject['record']])).length > 0
}
