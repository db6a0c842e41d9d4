import type { JsonSchema } from '@valibot/to-json-schema'
import type { JsonSchemas } from './json-schema.ts'

/** Parts of schemas that get a name of their own: which schema has one, and where. */
const PARTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  EmailInput: ['NewPerson', 'properties', 'emails', 'items'],
  PhoneInput: ['NewPerson', 'properties', 'phones', 'items'],
  CustomFieldInput: ['NewPerson', 'properties', 'custom_fields', 'items'],
  AttachmentInput: ['NewActivity', 'properties', 'attachments', 'items'],
  NewStage: ['NewPipeline', 'properties', 'stages', 'items'],
  StageChange: ['PipelineChanges', 'properties', 'stages', 'items'],
  SelectOptionInput: ['NewCustomField', 'properties', 'value', 'properties', 'select_list', 'items'],
  Currency: ['Product', 'properties', 'currency'],
  CustomFieldType: ['CustomField', 'properties', 'type'],
  EventName: ['Webhook', 'properties', 'events', 'items'],
  Scope: ['App', 'properties', 'scopes', 'items'],
}

/** The schemas and their parts, with a reference wherever a part stands, to the letter. @throws Error for a part that is not there */
export function withReferences(schemas: JsonSchemas): JsonSchemas {
  const parts = Object.entries(PARTS).map(([name, path]) => [name, at(schemas, path)] as const)
  const names = new Map(parts.map(([name, part]) => [keyOf(part), name]))
  const replaced = Object.entries({ ...schemas, ...Object.fromEntries(parts) }).map(([name, schema]) => {
    return [name, Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value, names)]))]
  })
  return Object.fromEntries(replaced)
}

function at(schemas: JsonSchemas, path: readonly string[]): JsonSchema {
  let found: unknown = schemas
  for (const step of path) found = (Object(found) as Record<string, unknown>)[step]
  if (typeof found !== 'object' || found === null) throw new Error(`There is no schema at ${path.join('.')}.`)
  return found
}

function referring(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => referring(each, names))
  const name = names.get(keyOf(value))
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, referring(each, names)]))
}

/** The same for all schemas that say the same, in whatever order. */
function keyOf(schema: object): string {
  return JSON.stringify(Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1)))
}
