import * as v from 'valibot'
import type { Engine } from '../../engine/extension.ts'
import { readInclude } from '../../engine/include-parameter.ts'
import { type Filters, type ListOrder, querySchema, toListQuery } from '../../engine/list-query.ts'
import type { Resource } from '../../engine/resource.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { findShownFields, isCustomFieldKind } from '../custom-fields/custom-values.ts'
import {
  csvFormat,
  EXPORT_FORMATS,
  type ExportFormat,
  type LineFormat,
  ndjsonFormat,
} from './export-format.ts'
import { readViews } from './export-pages.ts'
import type { ExportTurns } from './export-turns.ts'
import { pullFrom } from './pull-from.ts'
import { readAhead } from './read-ahead.ts'
import { runOnce } from './run-once.ts'

/** The kinds of records with exports. */
export const EXPORT_KINDS = ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] as const

export type ExportKind = (typeof EXPORT_KINDS)[number]

/** The query of an export: the filters and the order of the list, and the format. */
export function exportQuery<OrderBy extends string, F extends Filters<never>>(
  orderBy: readonly [OrderBy, ...OrderBy[]],
  filters: F,
  listOrder?: ListOrder,
) {
  const { page: _page, per_page: _perPage, ...entries } = querySchema(orderBy, filters, listOrder).entries
  const format = v.picklist(EXPORT_FORMATS, `Must be one of: ${EXPORT_FORMATS.join(', ')}.`)
  return v.object({ ...entries, format: v.optional(format, EXPORT_FORMATS[0]) })
}

type QueryOf<O extends string, F extends Filters<never>> = v.InferInput<ReturnType<typeof exportQuery<O, F>>>

/** All records of a kind as the lines of a file, such as `crm.people.export`. */
export interface ExportApi<Query> {
  /**
   * Returns the records that match, from one snapshot, as text: a CSV file, or each record as `get` returns it, with
   * `shared_with` only if it is included, in a line of JSON. Each piece of text ends with a line. The snapshot is held until
   * the iteration ends, so a loop should do no more than write to a disk, and call nothing else of the service. Exports of
   * a process run one after another.
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
  const { scopes, orderBy, filters, listOrder } = resource
  const schema = exportQuery(orderBy, filters, listOrder) as v.GenericSchema
  return {
    async *export(actor, query = {} as QueryOf<O, F>) {
      requireScope(actor, scopes.read)
      const parameters = validate(schema, query, 'parameter') as ExportParameters
      const include = readInclude(parameters, resource, actor)
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
  { format, include }: Pick<ExportParameters, 'format' | 'include'>,
  transaction: ViewTransaction,
): Promise<LineFormat> {
  if (format === 'ndjson') return ndjsonFormat({ include })
  const customFields = isCustomFieldKind(collection) ? await findShownFields(collection, transaction) : []
  return csvFormat(collection, { include, customFields })
}
