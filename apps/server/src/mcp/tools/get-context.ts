import { type Listing, MEMBERS_SCOPE } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { toolArguments } from '../argument-schemas.ts'
import { listAll } from '../list-all.ts'
import { defineTool, READ_HINTS } from '../tool.ts'
import type { Caller } from '../types.ts'
import { MAX_PER_PAGE } from './list-records.ts'

const input = toolArguments({})
const FIRST_PAGE = { per_page: 100, order: 'asc' } as const
const LIMITS = { records_per_page: MAX_PER_PAGE, ids_in_get_records: 50, records_in_a_write: 25 }

export const getContext = defineTool({
  name: 'get_context',
  title: 'Get the context',
  description:
    'The workspace with its currency, locale and time zone and who sees what (`visibility`), the user you act for with ' +
    'their teams, the granted scopes, the pipelines with their stages, task types and members. Call it first.',
  hints: READ_HINTS,
  input: () => input,
  requiredScopes: () => [],
  async run({ crm, actor }) {
    const sections = {
      pipelines: {
        scope: RESOURCES.pipelines.scopes.read,
        list: () => crm.pipelines.list(actor, FIRST_PAGE),
      },
      task_types: {
        scope: RESOURCES.task_types.scopes.read,
        list: () => crm.taskTypes.list(actor, FIRST_PAGE),
      },
      members: { scope: MEMBERS_SCOPE, list: () => crm.members.list(actor, FIRST_PAGE) },
    }
    const readableSections = Object.entries(sections).filter(([, { scope }]) => actor.scopes.has(scope))
    const [workspace, teams, ...lists] = await Promise.all([
      crm.workspace.get(actor),
      actor.scopes.has(MEMBERS_SCOPE) ? listOwnTeams({ crm, actor }) : undefined,
      ...readableSections.map(([, { list }]): Promise<Listing<object>> => list()),
    ])
    const pages = readableSections.map(([name], index) => [name, lists[index]!] as const)
    const left_out = Object.entries(sections).flatMap(([name, { scope }]) =>
      actor.scopes.has(scope) ? [] : [{ name, scope }],
    )
    return {
      result: {
        workspace,
        user: { id: actor.userId, role: actor.role, ...(teams && { teams }) },
        scopes: [...actor.scopes],
        ...Object.fromEntries(pages.map(([name, { data }]) => [name, data.map(omitFields)])),
        more: pages.filter(([, { meta }]) => meta.has_more).map(([name]) => name),
        left_out,
        limits: LIMITS,
      },
    }
  },
})

/** The teams of the user. */
async function listOwnTeams({ crm, actor }: Pick<Caller, 'crm' | 'actor'>) {
  const teams = await listAll((page) => crm.teams.list(actor, page))
  return teams.flatMap(({ id, name, members }) =>
    members.filter((member) => member.id === actor.userId).map(({ lead }) => ({ id, name, lead })),
  )
}

const OMITTED_FIELDS = new Set(['created_at', 'updated_at', 'color'])

/** Drops fields that no tool accepts as an argument. */
function omitFields(record: object): object {
  const fields = Object.entries(record).filter(([name]) => !OMITTED_FIELDS.has(name))
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.map(omitFields) : value]),
  )
}
