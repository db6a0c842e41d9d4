/** A parameter of the OpenAPI document. */
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: { readonly enum?: readonly string[]; readonly type?: string; readonly maximum?: number }
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly (Parameter | { readonly $ref: string })[] } }
    >
  >
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

type Query = Readonly<Record<string, string>>

/** The values of parameters that match the most records, by the name of the parameter. */
export type FilterValues = Readonly<Record<string, readonly string[]>>
/** The values of a path's `{id}`, by path. */
export type PathIds = Readonly<Record<string, readonly string[]>>

const PAGING = ['page', 'per_page', 'order', 'order_by', 'limit']
/** Far from both ends. */
const DEEP_PAGE = { page: '500', per_page: '100' }
const EVER = { after: '2000-01-01T00:00:00Z', before: '2100-01-01T00:00:00Z' }

/**
 * Lists every GET of the document below `/v1`, with every filter in every order. Required parameters have each of
 * their values.
 */
export function listReads(document: Document, values: FilterValues, ids: PathIds): readonly string[] {
  return Object.entries(document.paths)
    .filter(([path, { get }]) => path.startsWith('/v1/') && get)
    .flatMap(([path, { get }]) => {
      const parameters = (get!.parameters ?? []).map((each) => resolve(each, document))
      const queries = combineQueries(
        parameters.filter((each) => each.in === 'query'),
        values,
      )
      return fillPath(path, ids).flatMap((filled) => queries.map((query) => `${filled}${formatQuery(query)}`))
    })
}

function resolve(parameter: Parameter | { readonly $ref: string }, { components }: Document): Parameter {
  return '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter
}

function fillPath(path: string, ids: PathIds): readonly string[] {
  if (!path.includes('{')) return [path]
  return (ids[path] ?? []).map((id) => path.replace('{id}', id))
}

function combineQueries(parameters: readonly Parameter[], values: FilterValues): readonly Query[] {
  const filters = parameters.filter(({ name, required }) => !PAGING.includes(name) && !required)
  const single = filters.flatMap((filter) =>
    valuesOf(filter, values).map((value) => ({ [filter.name]: value })),
  )
  const required = parameters
    .filter((each) => each.required)
    .reduce<readonly Query[]>(
      (queries, each) =>
        queries.flatMap((query) => valuesOf(each, values).map((value) => ({ ...query, [each.name]: value }))),
      [{}],
    )
  const orders = parameters.find(({ name }) => name === 'order_by')?.schema?.enum ?? []
  const sorts = orders.length > 0 ? orders.map((order_by) => ({ order_by })) : [{}]
  const limit = parameters.find(({ name }) => name === 'limit')?.schema?.maximum
  const pages = parameters.some(({ name }) => name === 'page') ? [{}, DEEP_PAGE] : [{}]
  return required.flatMap((base) =>
    sorts.flatMap((sort) => [
      ...pages.map((page) => ({ ...base, ...sort, ...page })),
      ...single.map(
        (filter): Query => ({ ...base, ...sort, ...filter, ...(limit && { limit: String(limit) }) }),
      ),
    ]),
  )
}

function valuesOf({ name, schema }: Parameter, values: FilterValues): readonly string[] {
  if (values[name]) return values[name]
  if (schema?.enum) return schema.enum
  if (schema?.type === 'boolean') return ['true', 'false']
  if (/_after$|^since$|^from$/.test(name)) return [EVER.after]
  return /_before$|^to$/.test(name) ? [EVER.before] : []
}

function formatQuery(query: Query): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}
