import type { StageType } from '../pipelines/pipeline.ts'
import { ownersOf } from '../records/owner.ts'
import { type Unit, viewsOf } from '../records/unit.ts'
import type { GroupName } from './options.ts'

type Names = ReadonlyMap<string, string>

/** How records come into groups. */
export interface Grouping {
  readonly field: string
  readonly month?: true
  /** What people call the keys, where those are ids. */
  names?(ids: readonly string[], unit: Unit): Promise<Names>
  /** What each key of the field stands for, where that is what groups are made by. */
  standsFor?(unit: Unit): Promise<Names>
}

export const GROUPED: Readonly<Record<GroupName, Grouping>> = {
  owner: { field: 'owner_user_id', names: ownerNames },
  stage_id: { field: 'stage_id', names: (ids, { stores }) => viewsOf(stores.stages, ids, ({ name }) => name) },
  pipeline_id: { field: 'pipeline_id', names: (ids, { stores }) => viewsOf(stores.pipelines, ids, ({ name }) => name) },
  status: { field: 'stage_id', standsFor: stageTypes },
  person_id: { field: 'person_id', names: (ids, { stores }) => viewsOf(stores.people, ids, ({ full_name }) => full_name) },
  company_id: { field: 'company_id', names: (ids, { stores }) => viewsOf(stores.companies, ids, ({ full_name }) => full_name) },
  type: { field: 'type_id', names: (ids, { stores }) => viewsOf(stores.task_types, ids, ({ title }) => title) },
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

async function ownerNames(ids: readonly string[], unit: Unit): Promise<Names> {
  const owners = await ownersOf(
    ids.map((owner_user_id) => ({ owner_user_id })),
    unit,
  )
  return new Map([...owners].map(([id, { email }]) => [id, email]))
}

async function stageTypes({ stores }: Unit): Promise<ReadonlyMap<string, StageType>> {
  return new Map((await stores.stages.find([])).map(({ id, type }) => [id, type]))
}
