import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../src/openapi/document.ts'
import { documentHere, type Json, operationsIn } from './openapi-document.ts'

/** An operation as it is named, and what is told of its answers by status. */
export interface ToldAnswers {
  /** `GET /v1/people/{id}` */
  readonly name: string
  readonly byStatus: Readonly<Record<string, Json>>
}

interface Known {
  readonly document: OpenApiDocument
  readonly operations: readonly (ToldAnswers & { readonly pattern: RegExp })[]
  readonly ajv: Ajv2020
  readonly checks: Map<string, ValidateFunction>
}

const ID = 'https://crm.example/openapi.json'

let known: Known | undefined

/** Made when the first answer is judged: most of a second is more than a test that makes none has to pay. */
function knownHere(): Known {
  known ??= learnt(documentHere())
  return known
}

function learnt(document: OpenApiDocument): Known {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: ID, components: { schemas: document.components.schemas } })
  const operations = operationsIn(document).map(([name, { responses }]) => {
    return { name, byStatus: responses, pattern: new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
  })
  return { document, operations, ajv, checks: new Map() }
}

/** The operation that such a call is one of. HEAD is a GET that is answered without a body. */
export function operationOf(method: string, path: string): ToldAnswers | undefined {
  const call = `${method === 'HEAD' ? 'GET' : method} ${readable(new URL(path, 'http://localhost').pathname)}`
  return knownHere().operations.find(({ pattern }) => pattern.test(call))
}

/** As the router reads it. */
function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** What a reference in the document refers to; anything else is itself. */
export function referred(value: Json): Json {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((within, step) => Object(within)[step], knownHere().document)
  return found as Json
}

/** What a schema of the document says against a value. */
export function faultsOf(schema: object, value: unknown): readonly string[] {
  const { ajv, checks } = knownHere()
  const text = JSON.stringify(schema).replaceAll('"#/components', `"${ID}#/components`)
  const check = checks.get(text) ?? ajv.compile(JSON.parse(text))
  checks.set(text, check)
  if (check(value)) return []
  return (check.errors ?? []).map(({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`)
}
