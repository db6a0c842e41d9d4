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
import { respondWithFile } from '../file-response.ts'
import { withQuery } from '../query-string.ts'
import { pathOfKind } from './record-routes.ts'
import type { ApiRoute } from './route.ts'

/** All records of a kind as a file, which is written at once and then sent as the client reads it. */
export function exportRoutes(crm: Crm): readonly ApiRoute[] {
  return EXPORT_KINDS.map((kind) => exportRoute(kind, crm[kind] as ExportApi<object>))
}

function exportRoute(kind: ExportKind, records: ExportApi<object>): ApiRoute {
  const { scopes, filters } = RESOURCES[kind]
  const schema = exportQuery<string, typeof filters>(RESOURCES[kind])
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
      return respondWithFile(c, () => records.export(c.get('actor'), query), headers)
    },
  }
}

function contentType(format: ExportFormat): string {
  return format === 'csv' ? `${EXPORT_TYPES.csv}; charset=utf-8` : EXPORT_TYPES.ndjson
}
