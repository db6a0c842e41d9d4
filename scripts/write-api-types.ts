import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApi } from 'swagger-typescript-api'
import { reachableSchemas } from '../apps/server/test/support/openapi-document.ts'

// Writes the types of the client and of the webhook receiver from docs/openapi.json.

interface Operation {
  readonly parameters?: readonly unknown[]
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const ROOT = join(import.meta.dirname, '..')
const HEADER = '// Generated from docs/openapi.json by `npm run openapi`. Do not edit.\n'
const document: OpenApiDocument = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))

const { EventName, Scope, Tokens } = document.components.schemas
const calls = Object.entries(document.paths).filter(
  ([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/auth/'),
)
const queries = calls.filter(([, { get }]) => get?.parameters?.some(isQueryParameter))
// Under its own name, the schema of errors would hide JavaScript's `Error`.
const { Error: ErrorResponse, ...schemas } = findSchemas(calls)
await writeTypes('packages/client/src/api-types.ts', {
  paths: Object.fromEntries(queries.map(([path, { get }]) => [path, { get: get! }])),
  schemas: { ...schemas, Scope, Tokens, ErrorResponse },
})
await writeTypes('packages/webhooks/src/event-types.ts', {
  paths: {},
  schemas: { ...findSchemas(document.webhooks), EventName },
})

function isQueryParameter(parameter: unknown): boolean {
  const { in: place, $ref } = parameter as { readonly in?: string; readonly $ref?: string }
  return place === 'query' || $ref === '#/components/parameters/page'
}

async function writeTypes(
  file: string,
  { paths, schemas }: { readonly paths: object; readonly schemas: object },
): Promise<void> {
  const { files } = await generateApi({
    spec: { ...document, paths, webhooks: {}, components: { ...document.components, schemas } } as never,
    output: false,
    silent: true,
    generateClient: false,
    generateUnionEnums: true,
    extractRequestParams: true,
  })
  const source = files[0]!.fileContent
  // The generator's own header turns the compiler's checks off.
  writeFileSync(join(ROOT, file), `${HEADER}\n${source.slice(source.indexOf('export '))}`)
  execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', join(ROOT, file)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
}

/** The schemas a value references, directly or through other schemas, in the order of the document. */
function findSchemas(value: unknown): Readonly<Record<string, unknown>> {
  const { schemas } = document.components
  const names = reachableSchemas(value, schemas)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)))
}
