import type { JsonSchema } from '@valibot/to-json-schema'
import type { JsonSchemas } from './json-schema.ts'

/** Parts of schemas that get a name of their own: which schema has one, and where. */
const COMPONENT_PATHS: Readonly<Record<string, readonly [string, ...string[]]>> = {
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
export function extractComponents(schemas: JsonSchemas): JsonSchemas {
  const parts = Object.entries(COMPONENT_PATHS).map(
    ([name, path]) => [name, schemaAt(schemas, path)] as const,
  )
  const names = new Map(parts.map(([name, part]) => [keyOf(part), name]))
  const replaced = Object.entries({ ...schemas, ...Object.fromEntries(parts) }).map(([name, schema]) => {
    return [
      name,
      Object.fromEntries(
        Object.entries(schema).map(([key, value]) => [key, replaceWithReferences(value, names)]),
      ),
    ]
  })
  return Object.fromEntries(replaced)
}

function schemaAt(schemas: JsonSchemas, path: readonly string[]): JsonSchema {
  let schema: unknown = schemas
  for (const step of path) schema = (Object(schema) as Record<string, unknown>)[step]
  if (typeof schema !== 'object' || schema === null)
    throw new Error(`There is no schema at ${path.join('.')}.`)
  return schema
}

function replaceWithReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => replaceWithReferences(each, names))
  const name = names.get(keyOf(value))
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, replaceWithReferences(each, names)]),
  )
}

/** The same for all schemas that say the same, in whatever order. */
function keyOf(schema: object): string {
  return JSON.stringify(Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1)))
}
