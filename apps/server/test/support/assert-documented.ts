import { appendFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
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
/** There the errors are those of other protocols. */
const MCP_PATHS = /^\/mcp(?:\/|$)/
const seenResponses = new Set<string>()

/**
 * Holds an answer to what the OpenAPI document says of its operation, and notes that there was one such. Where there is no operation,
 * a refusal in JSON is still an error object.
 * @throws Error for a status the operation does not name, and for a body, a media type or a header that is not as it says
 */
export async function assertDocumented({ method, path }: RequestLine, answer: Response): Promise<void> {
  if (MCP_PATHS.test(new URL(path, 'http://localhost').pathname)) return
  const received: ReceivedResponse = {
    status: answer.status,
    headers: answer.headers,
    text: await textOf(answer.clone()),
  }
  const operation = operationOf(method, path)
  if (!operation) return throwIfErrors(`${method} ${path}`, received, undocumentedErrors(received))
  const { name, byStatus } = operation
  const documented = byStatus[received.status]
  if (!documented)
    throw new Error(
      `${name} was answered with ${received.status}, and tells of ${Object.keys(byStatus).join(', ')}: ${received.text}`,
    )
  const response = resolveReference(documented)
  const body = method === 'HEAD' ? [] : bodyErrors(response, received)
  throwIfErrors(name, received, [...body, ...headerErrors(response, received.headers)])
  recordSeen(`${name} ${received.status}`)
}

/** Unpacked, as it is for any client. */
async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('Content-Encoding') !== 'gzip') return answer.text()
  return gunzipSync(await answer.arrayBuffer()).toString()
}

function throwIfErrors(name: string, { status, text }: ReceivedResponse, errors: readonly string[]): void {
  if (errors.length > 0)
    throw new Error(
      `${name} was answered with ${status}, and not as it tells: ${errors.join('; ')} in ${text.slice(0, 2000)}`,
    )
}

function undocumentedErrors(received: ReceivedResponse): readonly string[] {
  return received.status >= 400 && mediaTypeOf(received) === 'application/json'
    ? schemaErrors(ERROR, jsonOf(received))
    : []
}

function bodyErrors({ content }: Json, received: ReceivedResponse): readonly string[] {
  const type = mediaTypeOf(received)
  if (!content) return received.text === '' && type === '' ? [] : [`it has a body of ${type}`]
  const mediaTypes = content as Record<string, { readonly schema: object }>
  const { schema } = mediaTypes[type] ?? mediaTypes['*/*'] ?? {}
  if (!schema || type === '')
    return [`its media type is ${type || 'left out'}, and not ${Object.keys(mediaTypes).join(' or ')}`]
  return type === 'application/json' && type in mediaTypes ? schemaErrors(schema, jsonOf(received)) : []
}

function headerErrors({ headers }: Json, headersSent: Headers): readonly string[] {
  return Object.entries(headers as Record<string, Json>).flatMap(([name, header]) => {
    const { required, schema } = resolveReference(header) as {
      readonly required?: boolean
      readonly schema: Json
    }
    const value = headersSent.get(name)
    if (value === null) return required ? [`the header ${name} is left out`] : []
    const typed = schema['type'] === 'integer' && /^\d+$/.test(value) ? Number(value) : value
    return schemaErrors(schema, typed).map((fault) => `the header ${name}: ${fault}`)
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

/** For the test that asks, after all others, whether each was seen. */
function recordSeen(answer: string): void {
  const file = process.env['ANSWERS_SEEN']
  if (file === undefined || seenResponses.has(answer)) return
  seenResponses.add(answer)
  appendFileSync(file, `${answer}\n`)
}
