import { loadOwners } from '../../engine/owner.ts'
import { loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { AggregateRow } from '../../ports/index.ts'
import type { AggregateEntity, GroupName } from '../../schema/aggregate-options.ts'
import type { KindName } from '../../schema/index.ts'
import { fieldsOf } from '../../schema/responses.ts'
import type { StageType } from '../../schema/stage.ts'

type Names = ReadonlyMap<string, string>

/** Defines how records are grouped. */
export interface Grouping {
  readonly field: string
  readonly month?: true
  /** Returns the display names of the keys. Default: for ids of records, the names of those. */
  loadNames?(ids: readonly string[], transaction: WorkspaceTransaction): Promise<Names>
  /** Maps each value of the field to its group key, if they differ. */
  loadKeyMap?(transaction: WorkspaceTransaction): Promise<ReadonlyMap<string, string | null>>
}

export const GROUPINGS: Readonly<Record<GroupName, Grouping>> = {
  owner: { field: 'owner_user_id', loadNames: loadOwnerNames, loadKeyMap: loadOwnerKeys },
  stage_id: { field: 'stage_id' },
  pipeline_id: { field: 'pipeline_id' },
  status: { field: 'stage_id', loadKeyMap: loadStageTypes },
  person_id: { field: 'person_id' },
  company_id: { field: 'company_id' },
  type: { field: 'type_id' },
  currency: { field: 'currency' },
  source: { field: 'source' },
  completed: { field: 'completed' },
  priority: { field: 'priority' },
  is_active: { field: 'is_active' },
  billing_cycle: { field: 'billing_cycle' },
  created_month: { field: 'created_at', month: true },
  closed_month: { field: 'closed_at', month: true },
  due_month: { field: 'due_date', month: true },
}

/** The display names of the keys of groups; none for keys that are no ids. */
export async function loadGroupNames(
  entity: AggregateEntity,
  grouping: Grouping,
  keys: readonly string[],
  transaction: WorkspaceTransaction,
): Promise<Names> {
  if (keys.length === 0) return new Map()
  if (grouping.loadNames) return grouping.loadNames(keys, transaction)
  const kind = grouping.loadKeyMap ? undefined : findReferencedKind(entity, grouping.field)
  if (kind === undefined) return new Map()
  const store = transaction.stores[kind] as unknown as RecordStore<NamedRecord>
  return loadViews(store, keys, ({ name, full_name, title }) => name ?? full_name ?? title ?? '')
}

interface NamedRecord extends RecordBase {
  readonly name?: string
  readonly full_name?: string
  readonly title?: string
}

export function findReferencedKind(entity: AggregateEntity, column: string): KindName | undefined {
  const references = fieldsOf(entity).flatMap(([, field]) => (field.is === 'reference' ? [field] : []))
  return references.find((field) => field.column === column)?.kind as KindName | undefined
}

async function loadOwnerNames(ids: readonly string[], transaction: WorkspaceTransaction): Promise<Names> {
  const owners = await loadOwners(ids, transaction)
  return new Map([...owners].map(([id, { email }]) => [id, email]))
}

/** A removed member counts as no owner. */
async function loadOwnerKeys({ stores }: WorkspaceTransaction): Promise<ReadonlyMap<string, string | null>> {
  const members = await stores.members.find([])
  return new Map(members.map(({ id, removed_at }) => [id, removed_at === null ? id : null]))
}

async function loadStageTypes({ stores }: WorkspaceTransaction): Promise<ReadonlyMap<string, StageType>> {
  return new Map((await stores.stages.find([])).map(({ id, type }) => [id, type]))
}

/** The ids among one of the keys of each row. */
export function listKeys(rows: readonly AggregateRow[], index: number): readonly string[] {
  const keys = rows.map((row) => row.keys[index])
  return [...new Set(keys.filter((key) => typeof key === 'string'))]
}
