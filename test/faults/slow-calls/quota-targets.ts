import type { ApiCaller, ApiRecord } from './api-caller.ts'
import type { FilterValues, PathIds } from './read-calls.ts'

/** Searches that match very many records, fewer, and none. */
const SEARCHES = ['a', 'e a o', 'silva', 'nomatch']

/** Finds the filters that match the most records, and records for the paths of single ones. */
export async function findTargets(api: ApiCaller): Promise<{ values: FilterValues; ids: PathIds }> {
  const first = async (path: string) => (await api.readPage(`${path}?per_page=1`))[0]
  const ids: Record<string, readonly string[]> = {}
  for (const kind of KINDS) {
    const record = await first(`/v1/${kind}`)
    if (record) ids[`/v1/${kind}/{id}`] = [record.id]
  }
  const pipelines = await api.readPage('/v1/pipelines?order_by=created_at&order=asc')
  const [person, company, deal] = await Promise.all(
    ['people', 'companies', 'deals'].map((kind) => first(`/v1/${kind}`)),
  )
  ids['/v1/pipelines/{id}/board'] = pipelines.map(({ id }) => id)
  for (const [kind, record] of [
    ['people', person],
    ['companies', company],
    ['deals', deal],
  ] as const)
    if (record) ids[`/v1/${kind}/{id}/timeline`] = [record.id]
  const idOf = (record: ApiRecord | undefined) => (record ? [record.id] : [])
  const [tag, list] = await Promise.all([first('/v1/tags'), first('/v1/lists')])
  return {
    ids,
    values: {
      search: SEARCHES,
      tag: idOf(tag),
      list_id: idOf(list),
      pipeline_id: pipelines.map(({ id }) => id),
      stage_id: pipelines.map(({ stages }) => (stages as readonly ApiRecord[])[0]!.id),
      person_id: idOf(person),
      company_id: idOf(company),
      deal_id: idOf(deal),
      id: idOf(person),
      metric: ['count'],
      include: ['next_task,stage_entered_at'],
    },
  }
}

const KINDS = [
  ...['people', 'companies', 'deals', 'pipelines', 'tasks', 'task-types'],
  ...['products', 'tags', 'lists', 'custom-fields'],
]
