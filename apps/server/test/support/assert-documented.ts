import { appendFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { operationOf, resolveReference, schemaErrors } from './document-validator.ts'
import type { Json } from './openapi-document.ts'

interface RequestLine {
  readonly method: string
  readonly path: string
}

interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const ERROR = { $ref: '#/components/schemas/Error' }
/** Below `/mcp` errors have the shape of OAuth and JSON-RPC. */
const MCP_PATHS = /^\/mcp(?:\/|$)/
const seenResponses = new Set<string>()

/**
 * Compares a response with its operation in the OpenAPI document, and records that the operation returned
 * this status. Without an operation, an error in JSON must still be an error object.
 * @throws Error for a status the operation does not name, and for a body, media type or header that does not
 * match
 */
export async function assertDocumented({ method, path }: RequestLine, response: Response): Promise<void> {
  if (MCP_PATHS.test(new URL(path, 'http://localhost').pathname)) return
  const received: ReceivedResponse = {
    status: response.status,
    headers: response.headers,
    text: await textOf(response.clone()),
  }
  const operation = operationOf(method, path)
  if (!operation) return throwIfErrors(`${method} ${path}`, received, undocumentedErrors(received))
  const { name, byStatus } = operation
  const documented = byStatus[received.status]
  if (!documented)
    throw new Error(
      `${name} returned ${received.status}, and the document names ${Object.keys(byStatus).join(', ')}: ${received.text}`,
    )
  const documentedResponse = resolveReference(documented)
  const body = method === 'HEAD' ? [] : bodyErrors(documentedResponse, received)
  throwIfErrors(name, received, [...body, ...headerErrors(documentedResponse, received.headers)])
  recordSeen(`${name} ${received.status}`)
}

/** Returns the decompressed text. */
async function textOf(response: Response): Promise<string> {
  const encoding = response.headers.get('Content-Encoding')
  if (encoding === null) return response.text()
  const decompress = encoding === 'br' ? brotliDecompressSync : gunzipSync
  return decompress(await response.arrayBuffer()).toString()
}

function throwIfErrors(name: string, { status, text }: ReceivedResponse, errors: readonly string[]): void {
  if (errors.length > 0)
    throw new Error(
      `${name} returned ${status}, which differs from the document: ${errors.join('; ')} in ${text.slice(0, 2000)}`,
    )
}

function undocumentedErrors(received: ReceivedResponse): readonly string[] {
  return received.status >= 400 && mediaTypeOf(received) === 'application/json'
    ? schemaErrors(ERROR, jsonOf(received))
    : []
}

function bodyErrors({ content }: Json, received: ReceivedResponse): readonly string[] {
  const type = mediaTypeOf(received)
  if (!content) return received.text === '' && type === '' ? [] : [`unexpected body of ${type}`]
  const mediaTypes = content as Record<string, { readonly schema: object }>
  const { schema } = mediaTypes[type] ?? mediaTypes['*/*'] ?? {}
  if (!schema || type === '')
    return [`media type ${type || 'missing'} instead of ${Object.keys(mediaTypes).join(' or ')}`]
  return type === 'application/json' && type in mediaTypes ? schemaErrors(schema, jsonOf(received)) : []
}

function headerErrors({ headers }: Json, headersSent: Headers): readonly string[] {
  return Object.entries(headers as Record<string, Json>).flatMap(([name, header]) => {
    const { required, schema } = resolveReference(header) as {
      readonly required?: boolean
      readonly schema: Json
    }
    const value = headersSent.get(name)
    if (value === null) return required ? [`header ${name} missing`] : []
    const typed = schema['type'] === 'integer' && /^\d+$/.test(value) ? Number(value) : value
    return schemaErrors(schema, typed).map((error) => `header ${name}: ${error}`)
  })
}

function mediaTypeOf({ headers }: ReceivedResponse): string {
  return headers.get('Content-Type')?.split(';')[0]?.trim() ?? ''
}

function jsonOf({ text }: ReceivedResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Appends to the file that the response coverage test reads after all others. */
function recordSeen(operationAndStatus: string): void {
  const file = process.env['SEEN_RESPONSES']
  if (file === undefined || seenResponses.has(operationAndStatus)) return
  seenResponses.add(operationAndStatus)
  appendFileSync(file, `${operationAndStatus}\n`)
}
