import { type Crm, type ExportApi, validate } from '@sales-crm/core'
import {
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
  exportQuery,
  RESOURCES,
} from '@sales-crm/core/declarations'
import { EXPORT_TYPES, exportOperation } from '../../openapi/export-operation.ts'
import { kindDocument } from '../../openapi/kind-document.ts'
import { withQuery } from '../query-string.ts'
import { TemporaryFile } from '../temporary-file.ts'
import { pathOfKind } from './record-routes.ts'
import type { ApiRoute, RouteContext } from './route.ts'

const UNREAD_MS = 60_000

/** All records of a kind as a file, which is written at once and then sent as the client reads it. */
export function exportRoutes(crm: Crm): readonly ApiRoute[] {
  return EXPORT_KINDS.map((kind) => exportRoute(kind, crm[kind] as ExportApi<object>))
}

function exportRoute(kind: ExportKind, records: ExportApi<object>): ApiRoute {
  const { scopes, orderBy, filters } = RESOURCES[kind]
  const schema = exportQuery<string, typeof filters>(orderBy, filters)
  return {
    ...{ method: 'GET', path: `${pathOfKind(kind)}/export`, turn: 'parts' },
    access: { scope: scopes.read },
    operation: exportOperation(kind, kindDocument(kind)),
    async handle(c) {
      const { query, format } = await withQuery(c.req.url, async (parameters) => ({
        query: parameters,
        format: validate(schema, parameters, 'parameter').format,
      }))
      const headers = {
        'Content-Type': contentType(format),
        'Content-Disposition': `attachment; filename="${kind}.${format}"`,
      }
      if (c.req.method === 'HEAD') return c.body(null, 200, headers)
      const work = () => writeFile(c, records.export(c.get('actor'), query))
      const file = await (c.env?.keepIdle ? c.env.keepIdle(work) : work())
      const length = String(await file.size())
      const stream = file.toStream({ unreadMs: UNREAD_MS, disconnect: () => disconnect(c) })
      return c.body(stream, 200, { ...headers, 'Content-Length': length })
    },
  }
}

/** Writes at the speed of the disk: no snapshot is held while a client reads. */
async function writeFile(
  c: RouteContext,
  texts: ReturnType<ExportApi<object>['export']>,
): Promise<TemporaryFile> {
  const runPart = c.get('runPart') ?? ((work) => work())
  const file = await TemporaryFile.create()
  try {
    // The first part waits for other exports, in no turn of the workspace.
    let next = await texts.next()
    while (!next.done) {
      await file.write(next.value)
      next = await runPart(() => texts.next())
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  } finally {
    await texts.return()
  }
}

function contentType(format: ExportFormat): string {
  return format === 'csv' ? `${EXPORT_TYPES.csv}; charset=utf-8` : EXPORT_TYPES.ndjson
}

function disconnect({ env }: RouteContext): void {
  env?.incoming?.socket.destroy?.()
}
