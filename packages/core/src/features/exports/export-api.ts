import type * as v from 'valibot'
import type { Engine } from '../../engine/extension.ts'
import { readInclude } from '../../engine/include-parameter.ts'
import { type Filters, toListQuery } from '../../engine/list-query.ts'
import type { Resource } from '../../engine/resource.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { validationError } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { KindName } from '../../schema/index.ts'
import { listIncludes } from '../../schema/responses.ts'
import { findShownFields, isCustomFieldKind } from '../custom-fields/custom-values.ts'
import { csvFormat, type ExportFormat, type LineFormat, ndjsonFormat } from './export-format.ts'
import { readViews } from './export-pages.ts'
import { exportQuery } from './export-query.ts'
import type { ExportTurns } from './export-turns.ts'
import { pullFrom } from './pull-from.ts'
import { readAhead } from './read-ahead.ts'
import { runOnce } from './run-once.ts'

/** The kinds of records with exports. */
export const EXPORT_KINDS = ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] as const

export type ExportKind = (typeof EXPORT_KINDS)[number]

type QueryOf<O extends string, F extends Filters<never>> = v.InferInput<ReturnType<typeof exportQuery<O, F>>>

/** All records of a kind as the lines of a file, such as `crm.people.export`. */
export interface ExportApi<Query> {
  /**
   * Returns the records that match, from one snapshot, as text: a CSV file of all fields or of `columns`, or each record as
   * `get` returns it, with `shared_with` only if it is included, in a line of JSON. Each piece of text ends with a line. The
   * snapshot is held until the iteration ends, so a loop should do no more than write to a disk, and call nothing else of
   * the service. Exports of a process run one after another.
   * @throws CrmError `insufficient_scope`, `validation_error`; `rate_limit_exceeded` while another export of the workspace
   * runs or waits
   */
  export(actor: Actor, query?: Query): AsyncGenerator<string, void, undefined>
}

type ExportableResource<R extends RecordBase, O extends string, F extends Filters<R>> = Pick<
  Resource<R, v.GenericSchema, v.GenericSchema, O, F>,
  'collection' | 'store' | 'scopes' | 'orderBy' | 'listOrder' | 'filters' | 'includeScopes' | 'detailView'
>

/** Characters of a piece of text. Making them takes the event loop a millisecond or less. */
const PIECE_LENGTH = 32 * 1024

export function exportApi<R extends RecordBase, O extends string, F extends Filters<R>>(
  resource: ExportableResource<R, O, F>,
  engine: Engine,
  turns: ExportTurns,
): ExportApi<QueryOf<O, F>> {
  const { scopes, collection } = resource
  const schema = exportQuery(resource) as v.GenericSchema
  return {
    async *export(actor, query = {} as QueryOf<O, F>) {
      requireScope(actor, scopes.read)
      const parameters = validate(schema, query, 'parameter') as ExportParameters
      if (parameters.columns && parameters.format !== 'csv')
        throw validationError({ columns: 'Requires `format=csv`.' })
      const include = readInclude(includeColumns(collection, parameters), resource, actor)
      const endTurn = await turns.take(actor.workspaceId)
      try {
        yield* pullFrom<string>((give) =>
          readWorkspace(
            engine,
            actor,
            runOnce((transaction) => writeText(resource, { ...parameters, include }, transaction, give)),
            { workload: 'report' },
          ),
        )
      } finally {
        endTurn()
      }
    },
  }
}

interface ExportParameters extends Readonly<Record<string, unknown>> {
  readonly order_by: string
  readonly order: string
  readonly format: ExportFormat
  readonly include: readonly string[]
  readonly columns?: readonly string[]
}

/** Adds the fields to `include` that a record has only if they are included, of those that are columns. */
function includeColumns(
  kind: KindName,
  { include = [], columns = [] }: Partial<ExportParameters>,
): Pick<ExportParameters, 'include'> {
  const included = new Set([...include, ...columns])
  return { include: listIncludes(kind).filter((name) => included.has(name)) }
}

async function writeText<R extends RecordBase>(
  resource: Pick<Resource<R>, 'collection' | 'store' | 'listOrder' | 'filters' | 'detailView'>,
  parameters: ExportParameters,
  transaction: ViewTransaction,
  give: (text: string) => Promise<void>,
): Promise<void> {
  const { start, formatLine } = await createFormat(resource, parameters, transaction)
  const query = await toListQuery<R>({ ...parameters, page: 1, per_page: 1 }, resource, transaction)
  let text = start
  const pages = query ? readAhead(readViews(resource, query, parameters.include, transaction)) : []
  for await (const views of pages) {
    for (const view of views) {
      text += formatLine(view)
      if (text.length < PIECE_LENGTH) continue
      await give(text)
      text = ''
    }
  }
  if (text !== '') await give(text)
}

async function createFormat<R extends RecordBase>(
  { collection }: Pick<Resource<R>, 'collection'>,
  { format, include, columns }: Pick<ExportParameters, 'format' | 'include' | 'columns'>,
  transaction: ViewTransaction,
): Promise<LineFormat> {
  if (format === 'ndjson') return ndjsonFormat({ include })
  const customFields = isCustomFieldKind(collection) ? await findShownFields(collection, transaction) : []
  return csvFormat(collection, { include, customFields, names: columns })
}
