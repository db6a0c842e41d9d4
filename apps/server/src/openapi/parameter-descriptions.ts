import {
  describeFilters,
  detailIncludes,
  EXPORT_KINDS,
  FILTERED_KINDS,
  type FilteredKind,
  KINDS,
  listIncludes,
  nameOfKind,
  RESOURCES,
} from '@sales-crm/core/declarations'
import { toPascalCase } from './names.ts'

type ResourceName = keyof typeof RESOURCES

interface IncludingKind {
  readonly collection: ResourceName
  readonly includeScopes: Readonly<Record<string, string>>
}

function describeInclude({ collection, includeScopes }: IncludingKind): [string, string][] {
  const isExported = EXPORT_KINDS.some((kind) => kind === collection)
  const names = listIncludes(collection).map((name) => {
    const scope = includeScopes[name]
    return scope === undefined ? `\`${name}\`` : `\`${name}\` (requires \`${scope}\`)`
  })
  const text = `Further fields, separated by commas: ${names.join(', ')}.`
  const operations = isExported ? ['list', 'export'] : ['list']
  if (names.length === 0) return []
  return [
    ...operations.map((each): [string, string] => [`${each}${toPascalCase(collection)}.include`, text]),
    [`get${nameOfKind(collection)}.include`, describeDetailInclude(collection)],
  ]
}

function describeDetailInclude(kind: ResourceName): string {
  const names = detailIncludes(kind)
  const text = names.map((name) => `\`${name}\``).join(', ')
  return names.every((name) => Object.hasOwn(KINDS[kind].fields, name))
    ? `As in lists, separated by commas: ${text}. A single record has them anyway${names.includes('following') ? ', but for `following`' : ''}.`
    : `Further fields, separated by commas: ${text}.`
}

function describeOrder(kind: FilteredKind): [string, string][] {
  const { names } = RESOURCES[kind].listOrder!
  const text = `One or two fields, separated by a comma: ${names.map((name) => `\`${name}\``).join(', ')}. Ties are sorted by id.`
  const order = 'Ascending or descending; two of them, separated by a comma, for two fields.'
  return ['list', 'export'].flatMap((operation): [string, string][] => [
    [`${operation}${toPascalCase(kind)}.order_by`, text],
    [`${operation}${toPascalCase(kind)}.order`, order],
  ])
}

/** Descriptions of parameters by name, or by operation and name if the name alone is ambiguous. */
const PARAMETER_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...Object.values(RESOURCES).map(({ collection }) => describeFilters(collection))),
  ...Object.fromEntries(Object.values(RESOURCES).flatMap(describeInclude)),
  page: 'Page number, starting at 1. A page after the last one is empty.',
  per_page: 'Number of records per page.',
  order: 'Ascending or descending.',
  order_by: 'Sort field. Ties are sorted by id.',
  ...Object.fromEntries(FILTERED_KINDS.flatMap(describeOrder)),
  filter:
    'Comparisons of fields as JSON: `{"field", "op", "value"}`, or `{"and": […]}` and `{"or": […]}` of them. Up to 25, on 3 levels, in 4 KiB.',
  view: 'Records of this saved view, for the caller. Its order applies unless `order_by` is sent.',
  search:
    'Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored. A public code or a ' +
    'whole phone number finds its record.',
  unread: 'Unread (`true`) or read (`false`) notifications.',
  tag: 'Records with this tag, by id or key.',
  list_id: 'Records on this list.',
  status: 'Deals in a stage of this type.',
  'listDeliveries.status': 'Deliveries with this status.',
  'getBoard.closed_after': 'Won and lost deals that closed at or after this time. Default: all.',
  'getBoard.limit': 'Maximum number of deals per stage.',
  reassign_to: 'Id of the member who takes over the records.',
  entity: 'Type of the related record.',
  id: 'Id of the related record.',
  since: 'Entries at or after this time.',
  cursor: '`next_cursor` of the entries before. Default: the newest entries.',
  limit: 'Maximum number of entries.',
  offset: 'The first byte of the part, from 0: `received` of the import.',
  'aggregate.entity': 'Type of the records.',
  kinds:
    'Kinds to search, separated by commas. Default: people, companies, deals and products, as far as the token may read ' +
    'them.',
  'searchRecords.limit': 'Maximum number of records of each kind.',
  columns:
    'Names of fields, separated by commas: the columns of a CSV file are those of these fields, in this order. One custom ' +
    'field is `custom_fields.<key>`. Default: all fields.',
  format: 'Format of the file: CSV for spreadsheets, or a line of JSON for each record.',
  metric: 'What is computed in each group.',
  field: 'Field to sum or average. Required unless records are counted.',
  group_by: 'Grouping. Default: one group.',
  from: 'Closed at or after this time.',
  to: 'Closed at or before this time.',
  ...Object.fromEntries(
    Object.entries(describeFilters('targets')).map(([name, text]) => [`listTargets.${name}`, text]),
  ),
  'getTargetsReport.month': 'The month, such as `2026-11`.',
  'getTargetsReport.currency': 'The currency. Nothing is converted.',
  'getTargetsReport.owner_id': 'Id of a member. Default: all.',
  'getTargetsReport.pipeline_id':
    'The pipeline whose deals are counted. Default: all. Targets are those of all pipelines.',
  'getPipelineReport.pipeline_id': "The pipeline. Default: the workspace's oldest.",
  client_id: 'Id of the app.',
  redirect_uri: "One of the app's redirect URIs, as an exact string.",
  response_type: 'Always `code`.',
  state: 'Returned unchanged in the redirect. At most 4096 characters after percent-encoding. Recommended.',
  scope: "A subset of the app's scopes, separated by spaces. Default: all of them.",
  code_challenge:
    'PKCE challenge: Base64url of the SHA-256 of the verifier. The token request must contain the verifier.',
  code_challenge_method: 'Required with `code_challenge`.',
  resource: 'Resource that the token is for (RFC 8707): the URL of this service, or its `/mcp` for MCP only.',
}

/** @throws Error for a parameter without a description */
export function describeParameter(operation: string, name: string): string {
  const description = PARAMETER_DESCRIPTIONS[`${operation}.${name}`] ?? PARAMETER_DESCRIPTIONS[name]
  if (description === undefined)
    throw new Error(
      `Nothing is said of the parameter ${name} of ${operation}: add it to parameter-descriptions.ts.`,
    )
  return description
}
