import type { TestResponse, Workspace } from './test-service.ts'

/** A kind of record in the API. */
export interface RecordKindCase {
  /** The path below `/v1`. */
  readonly name: string
  readonly label: string
  /** The prefix of its scopes. */
  readonly scope: string
  /** Default: `write`. */
  readonly writeVerb?: 'manage'
  /** The minimal input of a create, unique for each number. @param ownerId of the workspace */
  readonly body: (n: number, ownerId: string) => object
  readonly change: object
}

const nameBody = (name: string) => () => ({ name })
const titleBody = () => ({ title: 'Theirs' })
const titleChange = { title: 'Ours' }
const fullNameBody = () => ({ full_name: 'Theirs' })
const nameChange = { name: 'Ours' }

/** Ordered by dependency: a deal needs a pipeline. */
export const RECORD_KIND_CASES: readonly RecordKindCase[] = [
  { name: 'people', label: 'Person', scope: 'people', body: fullNameBody, change: { full_name: 'Ours' } },
  {
    name: 'companies',
    label: 'Company',
    scope: 'companies',
    body: fullNameBody,
    change: { full_name: 'Ours' },
  },
  {
    name: 'pipelines',
    label: 'Pipeline',
    scope: 'deals',
    body: () => ({ name: 'Theirs', stages: [{ name: 'New' }] }),
    change: nameChange,
  },
  {
    name: 'lost-reasons',
    label: 'Lost reason',
    scope: 'deals',
    body: (n) => ({ name: `Theirs ${n}` }),
    // Two cannot have one name.
    change: { position: 0 },
  },
  {
    name: 'targets',
    label: 'Target',
    scope: 'deals',
    body: (n, owner_id) => ({ month: `${2000 + n}-11`, owner_id, amount: 1 }),
    change: { amount: 2 },
  },
  { name: 'deals', label: 'Deal', scope: 'deals', body: nameBody('Theirs'), change: nameChange },
  { name: 'tasks', label: 'Task', scope: 'tasks', body: titleBody, change: titleChange },
  { name: 'task-types', label: 'Task type', scope: 'tasks', body: titleBody, change: titleChange },
  {
    name: 'activities',
    label: 'Activity',
    scope: 'activities',
    body: () => ({ content_html: 'Theirs' }),
    change: { content_html: 'Ours' },
  },
  {
    name: 'products',
    label: 'Product',
    scope: 'products',
    body: () => ({ name: 'Theirs', currency: 'BRL' }),
    change: nameChange,
  },
  { name: 'tags', label: 'Tag', scope: 'tags', body: nameBody('Theirs'), change: nameChange },
  { name: 'lists', label: 'List', scope: 'lists', body: nameBody('Theirs'), change: nameChange },
  {
    name: 'custom-fields',
    label: 'Custom field',
    scope: 'custom_fields',
    body: (n) => ({ label: 'Theirs', key: `theirs_${n}`, type: 'text' }),
    change: { label: 'Ours' },
  },
  {
    name: 'views',
    label: 'View',
    scope: 'views',
    body: () => ({ kind: 'people', name: 'Theirs' }),
    change: nameChange,
  },
  {
    name: 'teams',
    label: 'Team',
    scope: 'members',
    writeVerb: 'manage',
    body: (n) => ({ name: `Theirs ${n}` }),
    change: nameChange,
  },
]

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

/** Returns the path of a list: activities are listed for one entity. */
export function listPath({ name }: RecordKindCase, entityId: string = UNKNOWN_ID): string {
  return name === 'activities' ? `/v1/activities?entity=people&id=${entityId}` : `/v1/${name}`
}

/**
 * Returns a function that creates a record of a kind. It first creates a pipeline that is never deleted: the
 * oldest one is the default of deals.
 */
export async function createRecordMaker(
  workspace: Pick<Workspace, 'createRecord' | 'owner'>,
): Promise<(kind: RecordKindCase) => Promise<string>> {
  let count = 0
  await workspace.createRecord('/v1/pipelines', { name: 'Oldest', stages: [{ name: 'New' }] })
  return async ({ name, body }) => {
    count += 1
    return (await workspace.createRecord(`/v1/${name}`, body(count, workspace.owner.id))).id
  }
}

export function dataOf({ json }: Pick<TestResponse, 'json'>): Readonly<Record<string, unknown>> {
  return (json as { data: Record<string, unknown> }).data
}

export function rowsOf({ json }: Pick<TestResponse, 'json'>): readonly Readonly<Record<string, unknown>>[] {
  return (json as { data: Record<string, unknown>[] }).data
}

export function scopeOf(
  { scope, writeVerb }: Pick<RecordKindCase, 'scope' | 'writeVerb'>,
  verb: 'read' | 'write',
): string {
  return `${scope}:${verb === 'write' ? (writeVerb ?? verb) : verb}`
}
