import { type Listing, MEMBERS_SCOPE } from '@sales-crm/core'
import { args } from '../inputs.ts'
import { KINDS } from '../kinds.ts'
import { defineTool, READS } from '../tool.ts'
import { MOST_PER_PAGE } from './list-records.ts'

const input = args({})
const FIRST = { per_page: 100, order: 'asc' } as const
const LIMITS = { records_per_page: MOST_PER_PAGE, ids_in_get_records: 50, records_in_a_write: 25 }

export const getContext = defineTool({
  name: 'get_context',
  title: 'Who and where am I',
  description:
    'The workspace with its currency and locale, for whom you act and with which scopes, the pipelines with their stages, task types and members. Call it first.',
  hints: READS,
  input: () => input,
  needs: () => [],
  async run({ crm, actor }) {
    const parts = {
      pipelines: { scope: KINDS.pipelines.scopes.read, list: () => crm.pipelines.list(actor, FIRST) },
      task_types: { scope: KINDS.task_types.scopes.read, list: () => crm.taskTypes.list(actor, FIRST) },
      members: { scope: MEMBERS_SCOPE, list: () => crm.members.list(actor, FIRST) },
    }
    const readable = Object.entries(parts).filter(([, { scope }]) => actor.scopes.has(scope))
    const [workspace, ...lists] = await Promise.all([
      crm.workspace.get(actor),
      ...readable.map(([, { list }]): Promise<Listing<object>> => list()),
    ])
    const read = readable.map(([name], index) => [name, lists[index]!] as const)
    const left_out = Object.entries(parts).flatMap(([name, { scope }]) => (actor.scopes.has(scope) ? [] : [{ name, scope }]))
    return {
      result: {
        workspace,
        user: { id: actor.userId, role: actor.role },
        scopes: [...actor.scopes],
        ...Object.fromEntries(read.map(([name, { data }]) => [name, data.map(shortened)])),
        more: read.filter(([, { meta }]) => meta.has_more).map(([name]) => name),
        left_out,
        limits: LIMITS,
      },
    }
  },
})

const LEFT_OUT = new Set(['created_at', 'updated_at', 'color'])

/** Without what no call takes. */
function shortened(record: object): object {
  const fields = Object.entries(record).filter(([name]) => !LEFT_OUT.has(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, Array.isArray(value) ? value.map(shortened) : value]))
}
