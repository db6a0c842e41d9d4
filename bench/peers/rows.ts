import type { Ask } from '../load.ts'
import { ROWS, type Row } from '../rows.ts'

/** A row of the benchmark, and how the same is asked of Directus. */
export interface PeerRow {
  readonly row: Row
  /** Of the rates, ours over Directus's. */
  readonly target: number
  translate(ask: Ask): Ask
}

const RECORD = ['id', 'created_at', 'updated_at']
const OWNER = below('owner', 'id', 'name', 'email')
/** All that the service answers, and no more; but for a deal's amount in words. */
const TASK = fieldsOf(
  ...[...RECORD, 'title', 'notes', 'due_date', 'priority', 'completed', ...OWNER],
  ...below('type', ...RECORD, 'title', 'color', 'key'),
  ...below('person', ...RECORD, 'full_name', 'emails', 'phones', 'score', 'position'),
  ...below('company', ...RECORD, 'full_name', 'emails', 'phones'),
  ...below('deal', ...RECORD, 'name', 'amount', 'currency', 'source', 'forecast_date'),
  ...below('deal.pipeline', 'id', 'name'),
  ...below('deal.stage', 'id', 'name', 'type'),
)
const PERSON = fieldsOf(
  ...RECORD,
  'entity_id',
  'full_name',
  'emails',
  'phones',
  'position',
  'score',
  'avatar_url',
  ...OWNER,
)
const PEOPLE = `/items/people?${PERSON}&sort=-created_at,-id&limit=50&page=1&meta=filter_count`

const task = ({ method, path, body }: Ask): Ask => ({
  method,
  path: `${path.replace('/v1/tasks', '/items/tasks')}?${TASK}`,
  ...(body && { body: withoutIdInNames(body) }),
})

export const PEER_ROWS: readonly PeerRow[] = [
  peer('post', 30, task),
  peer('list', 25, () => ({ method: 'GET', path: PEOPLE })),
  peer('get', 35, task),
  peer('patch', 30, task),
]

function peer(name: string, target: number, translate: PeerRow['translate']): PeerRow {
  return { row: ROWS.find((row) => row.name === name)!, target, translate }
}

function fieldsOf(...names: readonly string[]): string {
  return `fields=${names.join(',')}`
}

function below(link: string, ...names: readonly string[]): string[] {
  return names.map((name) => `${link}.${name}`)
}

/** `person_id` is `person` there. */
function withoutIdInNames(body: object): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.replace(/_id$/, ''), value]))
}
