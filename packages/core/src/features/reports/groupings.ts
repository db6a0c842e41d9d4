import { loadOwners } from '../../engine/owner.ts'
import { loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { StageType } from '../../schema/stage.ts'
import type { GroupName } from './aggregate-options.ts'

type Names = ReadonlyMap<string, string>

/** Defines how records are grouped. */
export interface Grouping {
  readonly field: string
  readonly month?: true
  /** Returns the display names of the keys, if they are ids. */
  loadNames?(ids: readonly string[], transaction: WorkspaceTransaction): Promise<Names>
  /** Maps each value of the field to its group key, if they differ. */
  loadKeyMap?(transaction: WorkspaceTransaction): Promise<ReadonlyMap<string, string | null>>
}

export const GROUPINGS: Readonly<Record<GroupName, Grouping>> = {
  owner: { field: 'owner_user_id', loadNames: loadOwnerNames, loadKeyMap: loadOwnerKeys },
  stage_id: {
    field: 'stage_id',
    loadNames: (ids, { stores }) => loadViews(stores.stages, ids, ({ name }) => name),
  },
  pipeline_id: {
    field: 'pipeline_id',
    loadNames: (ids, { stores }) => loadViews(stores.pipelines, ids, ({ name }) => name),
  },
  status: { field: 'stage_id', loadKeyMap: loadStageTypes },
  person_id: {
    field: 'person_id',
    loadNames: (ids, { stores }) => loadViews(stores.people, ids, ({ full_name }) => full_name),
  },
  company_id: {
    field: 'company_id',
    loadNames: (ids, { stores }) => loadViews(stores.companies, ids, ({ full_name }) => full_name),
  },
  type: {
    field: 'type_id',
    loadNames: (ids, { stores }) => loadViews(stores.task_types, ids, ({ title }) => title),
  },
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
