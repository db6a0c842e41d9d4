import type { RequestSpec } from '../connection.ts'
import { findRow, type Row } from '../rows.ts'

/** A row of the benchmark, with the translation of its requests to Directus. */
export interface PeerRow {
  readonly row: Row
  /** The required ratio of the service's rate to Directus's. */
  readonly target: number
  translate(request: RequestSpec): RequestSpec
}

const RECORD = ['id', 'created_at', 'updated_at']
const OWNER = fieldsBelow('owner', 'id', 'name', 'email')
/** All fields of the service's response, except the formatted amount of a deal. */
const TASK = fieldsParameter(
  ...[...RECORD, 'title', 'notes', 'due_date', 'priority', 'completed', ...OWNER],
  ...fieldsBelow('type', ...RECORD, 'title', 'color', 'key'),
  ...fieldsBelow('person', ...RECORD, 'full_name', 'emails', 'phones', 'score', 'position'),
  ...fieldsBelow('company', ...RECORD, 'full_name', 'emails', 'phones'),
  ...fieldsBelow('deal', ...RECORD, 'name', 'amount', 'currency', 'source', 'forecast_date'),
  ...fieldsBelow('deal.pipeline', 'id', 'name'),
  ...fieldsBelow('deal.stage', 'id', 'name', 'type'),
)
const PERSON = fieldsParameter(
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

const translateTask = ({ method, path, body }: RequestSpec): RequestSpec => ({
  method,
  path: `${path.replace('/v1/tasks', '/items/tasks')}?${TASK}`,
  ...(body && { body: stripIdSuffixes(body) }),
})

export const PEER_ROWS: readonly PeerRow[] = [
  createPeerRow('post', 25, translateTask),
  createPeerRow('list', 12, () => ({ method: 'GET', path: PEOPLE })),
  createPeerRow('get', 30, translateTask),
  createPeerRow('patch', 25, translateTask),
]

function createPeerRow(name: string, target: number, translate: PeerRow['translate']): PeerRow {
  return { row: findRow(name), target, translate }
}

function fieldsParameter(...names: readonly string[]): string {
  return `fields=${names.join(',')}`
}

function fieldsBelow(relation: string, ...names: readonly string[]): string[] {
  return names.map((name) => `${relation}.${name}`)
}

/** Renames `person_id` to `person`, and so on. */
function stripIdSuffixes(body: object): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.replace(/_id$/, ''), value]))
}
