import type { JsonSchema } from '@valibot/to-json-schema'
import type { JsonSchemas } from './json-schema.ts'

/** Subschemas that become components, each by the path of one occurrence. */
const COMPONENT_PATHS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  EmailInput: ['NewPerson', 'properties', 'emails', 'items'],
  ExternalIdInput: ['NewPerson', 'properties', 'external_ids', 'items'],
  PhoneInput: ['NewPerson', 'properties', 'phones', 'items'],
  CustomFieldInput: ['NewPerson', 'properties', 'custom_fields', 'items'],
  AttachmentInput: ['NewActivity', 'properties', 'attachments', 'items'],
  NewStage: ['NewPipeline', 'properties', 'stages', 'items'],
  StageChange: ['PipelineChanges', 'properties', 'stages', 'items'],
  SelectOptionInput: ['NewCustomField', 'properties', 'value', 'properties', 'select_list', 'items'],
  PersonChanges: ['PersonUpsert', 'properties', 'record'],
  CompanyChanges: ['CompanyUpsert', 'properties', 'record'],
  DealChanges: ['DealUpsert', 'properties', 'record'],
  ProductChanges: ['ProductUpsert', 'properties', 'record'],
  Currency: ['Product', 'properties', 'currency'],
  CustomFieldType: ['CustomField', 'properties', 'type'],
  EventName: ['Webhook', 'properties', 'events', 'items'],
  Scope: ['App', 'properties', 'scopes', 'items'],
}

/**
 * Adds the subschemas of `COMPONENT_PATHS` as components, and replaces every equal subschema by a reference.
 * @throws Error if one of the schemas has nothing at its path
 */
export function extractComponents(schemas: JsonSchemas): JsonSchemas {
  const parts = Object.entries(COMPONENT_PATHS)
    .filter(([, [name]]) => name in schemas)
    .map(([name, path]) => [name, schemaAt(schemas, path)] as const)
  const names = new Map(parts.map(([name, part]) => [keyOf(part), name]))
  const newParts = parts.filter(([name]) => !(name in schemas))
  const entries = Object.entries({ ...schemas, ...Object.fromEntries(newParts) }).map(([name, schema]) => {
    return [
      name,
      Object.fromEntries(
        Object.entries(schema).map(([key, value]) => [key, replaceWithReferences(value, names)]),
      ),
    ]
  })
  return Object.fromEntries(entries)
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

/** Returns the same key for schemas with the same entries in any order. */
function keyOf(schema: object): string {
  return JSON.stringify(Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1)))
}
