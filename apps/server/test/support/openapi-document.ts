import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { APP_PARTS, listRoutes } from '../../src/http/app.ts'
import { type DocumentedRoute, isDocumented } from '../../src/http/routes/route.ts'
import { consoleLog } from '../../src/observability/console-log.ts'
import { type OpenApiDocument, openapiDocument } from '../../src/openapi/document.ts'
import { readManifest } from '../../src/process/manifest.ts'

export const ROOT = join(import.meta.dirname, '../../../..')
export const COMMITTED_COPY = join(ROOT, 'docs/openapi.json')
const ISSUER = 'https://crm.example'

export type Json = Record<string, unknown>

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Record<string, Json>
}

/** Builds the document of a service in memory that has all parts. */
export function buildDocument(issuer = ISSUER): OpenApiDocument {
  return openapiDocument(listDocumentedRoutes(issuer), {
    ...{ issuer, version: readManifest().version, hasTools: true },
  })
}

/** The routes of a service in memory that has all parts. */
export function listDocumentedRoutes(issuer = ISSUER): readonly DocumentedRoute[] {
  const ports = { ...nodePorts({ issuer }), storage: memoryStorage() }
  const options = { crm: createCrm(ports), ports, storage: ports.storage, log: consoleLog }
  return listRoutes(options, new Set(APP_PARTS), () => []).filter(isDocumented)
}

export function readCommittedDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(COMMITTED_COPY, 'utf8'))
}

/** Returns pairs of a name, such as `GET /v1/people/{id}`, and its operation. */
export function operationsOf({
  paths,
}: Pick<OpenApiDocument, 'paths'>): readonly (readonly [string, DocumentedOperation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, operation as unknown as DocumentedOperation] as const,
    ),
  )
}

/** Returns the names of the schemas a value references directly. */
export function referencedSchemas(value: unknown): readonly string[] {
  return Array.from(JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name!)
}

/** Returns the schemas a value references, directly or through other schemas. */
export function reachableSchemas(
  value: unknown,
  schemas: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const names = new Set<string>()
  const pending = [...referencedSchemas(value)]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (names.has(name)) continue
    names.add(name)
    pending.push(...referencedSchemas(schemas[name]))
  }
  return names
}
