import { appendFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { faultsOf, operationOf, referred } from './document.ts'
import type { Json } from './openapi-document.ts'

interface Call {
  readonly method: string
  readonly path: string
}

interface Given {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const ERROR = { $ref: '#/components/schemas/Error' }
/** There the errors are those of other protocols. */
const OF_TOOLS = /^\/mcp(?:\/|$)/
const seen = new Set<string>()

/**
 * Holds an answer to what the OpenAPI document says of its operation, and notes that there was one such. Where there is no operation,
 * a refusal in JSON is still an error object.
 * @throws Error for a status the operation does not name, and for a body, a media type or a header that is not as it says
 */
export async function mustBeAnswered({ method, path }: Call, answer: Response): Promise<void> {
  if (OF_TOOLS.test(new URL(path, 'http://localhost').pathname)) return
  const given: Given = { status: answer.status, headers: answer.headers, text: await textOf(answer.clone()) }
  const operation = operationOf(method, path)
  if (!operation) return holdTo(`${method} ${path}`, given, faultsOfUntold(given))
  const { name, byStatus } = operation
  const told = byStatus[given.status]
  if (!told) throw new Error(`${name} was answered with ${given.status}, and tells of ${Object.keys(byStatus).join(', ')}: ${given.text}`)
  const response = referred(told)
  const body = method === 'HEAD' ? [] : faultsOfBody(response, given)
  holdTo(name, given, [...body, ...faultsOfHeaders(response, given.headers)])
  note(`${name} ${given.status}`)
}

/** Unpacked, as it is for any client. */
async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('Content-Encoding') !== 'gzip') return answer.text()
  return gunzipSync(await answer.arrayBuffer()).toString()
}

function holdTo(name: string, { status, text }: Given, faults: readonly string[]): void {
  if (faults.length > 0)
    throw new Error(`${name} was answered with ${status}, and not as it tells: ${faults.join('; ')} in ${text.slice(0, 2000)}`)
}

function faultsOfUntold(given: Given): readonly string[] {
  return given.status >= 400 && mediaTypeOf(given) === 'application/json' ? faultsOf(ERROR, jsonOf(given)) : []
}

function faultsOfBody({ content }: Json, given: Given): readonly string[] {
  const type = mediaTypeOf(given)
  if (!content) return given.text === '' && type === '' ? [] : [`it has a body of ${type}`]
  const told = content as Record<string, { readonly schema: object }>
  const { schema } = told[type] ?? told['*/*'] ?? {}
  if (!schema || type === '') return [`its media type is ${type || 'left out'}, and not ${Object.keys(told).join(' or ')}`]
  return type === 'application/json' && type in told ? faultsOf(schema, jsonOf(given)) : []
}

function faultsOfHeaders({ headers }: Json, sent: Headers): readonly string[] {
  return Object.entries(headers as Record<string, Json>).flatMap(([name, told]) => {
    const { required, schema } = referred(told) as { readonly required?: boolean; readonly schema: Json }
    const value = sent.get(name)
    if (value === null) return required ? [`the header ${name} is left out`] : []
    const typed = schema['type'] === 'integer' && /^\d+$/.test(value) ? Number(value) : value
    return faultsOf(schema, typed).map((fault) => `the header ${name}: ${fault}`)
  })
}

function mediaTypeOf({ headers }: Given): string {
  return headers.get('Content-Type')?.split(';')[0]?.trim() ?? ''
}

function jsonOf({ text }: Given): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For the test that asks, after all others, whether each was seen. */
function note(answer: string): void {
  const file = process.env['ANSWERS_SEEN']
  if (file === undefined || seen.has(answer)) return
  seen.add(answer)
  appendFileSync(file, `${answer}\n`)
}
