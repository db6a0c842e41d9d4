import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { buildDocument, type Json, operationsOf } from './openapi-document.ts'

/** An operation's name and its documented responses by status. */
export interface DocumentedResponses {
  /** `GET /v1/people/{id}` */
  readonly name: string
  readonly byStatus: Readonly<Record<string, Json>>
}

interface Validator {
  readonly document: OpenApiDocument
  readonly operations: readonly (DocumentedResponses & { readonly pattern: RegExp })[]
  readonly ajv: Ajv2020
  readonly checks: Map<string, ValidateFunction>
}

const ID = 'https://crm.example/openapi.json'

let validator: Validator | undefined

/** Loads lazily: compiling the document takes most of a second, and many tests send no request. */
function loadValidator(): Validator {
  validator ??= createValidator(buildDocument())
  return validator
}

function createValidator(document: OpenApiDocument): Validator {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: ID, components: { schemas: document.components.schemas } })
  const operations = operationsOf(document).map(([name, { responses }]) => {
    return {
      name,
      byStatus: responses,
      pattern: new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }
  })
  return { document, operations, ajv, checks: new Map() }
}

/** Returns the operation of a request, or undefined. HEAD is treated as GET. */
export function operationOf(method: string, path: string): DocumentedResponses | undefined {
  const call = `${method === 'HEAD' ? 'GET' : method} ${decodePath(new URL(path, 'http://localhost').pathname)}`
  return loadValidator().operations.find(({ pattern }) => pattern.test(call))
}

/** Decodes a path the way the router does. */
function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns the target of a `$ref`; any other value is returned unchanged. */
export function resolveReference(value: Json): Json {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => Object(node)[step], loadValidator().document)
  return target as Json
}

/** Returns the errors of a value under a schema of the document. */
export function schemaErrors(schema: object, value: unknown): readonly string[] {
  const { ajv, checks } = loadValidator()
  const text = JSON.stringify(schema).replaceAll('"#/components', `"${ID}#/components`)
  const check = checks.get(text) ?? ajv.compile(JSON.parse(text))
  checks.set(text, check)
  if (check(value)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
  )
}
