import {
  type ConversionConfig,
  type JsonSchema,
  type OverrideSchemaContext,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

export type Schemas = Readonly<Record<string, GenericSchema>>
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** Actions that run code. Schemas describe them with metadata as far as JSON Schema allows. */
const UNREPRESENTABLE_ACTIONS = [
  'check',
  'check_items',
  'partial_check',
  'raw_check',
  'to_lower_case',
  'to_upper_case',
  'trim',
]

const COMMON_CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: UNREPRESENTABLE_ACTIONS,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}
const OUTPUT_CONFIG: ConversionConfig = {
  ...COMMON_CONFIG,
  typeMode: 'output',
  overrideSchema: simplifySchema,
}
const INPUT_CONFIG: ConversionConfig = {
  ...COMMON_CONFIG,
  typeMode: 'input',
  overrideSchema: closeObject,
  overrideAction: applyMetadata,
}

/** Converts schemas of responses. A nested schema that has a name becomes a reference. */
export function responseSchemas(schemas: Schemas): JsonSchemas {
  return toJsonSchemaDefs(schemas, OUTPUT_CONFIG)
}

/** Converts a schema of a request. Its objects allow no additional properties. */
export function inputSchema(schema: GenericSchema): JsonSchema {
  const { $schema, ...json } = toJsonSchema(schema, INPUT_CONFIG)
  return json
}

/**
 * Merges metadata into the schema, or replaces the schema if the metadata has a `type`. Its `items` are a
 * schema.
 */
function applyMetadata({
  valibotAction,
  jsonSchema,
}: Parameters<NonNullable<ConversionConfig['overrideAction']>>[0]): JsonSchema | undefined {
  if (valibotAction.type !== 'metadata' || !('metadata' in valibotAction)) return undefined
  const { items, ...rule } = valibotAction.metadata as { readonly items?: GenericSchema }
  const base = 'type' in rule ? {} : jsonSchema
  return { ...base, ...rule, ...(items && { items: inputSchema(items) }) }
}

function closeObject(context: OverrideSchemaContext): JsonSchema {
  const json = simplifySchema(context)
  return context.valibotSchema.type === 'object' ? { ...json, additionalProperties: false } : json
}

/** Drops keywords without effect, and adds `null` to the types of a nullable schema where that is enough. */
function simplifySchema({ valibotSchema, jsonSchema }: OverrideSchemaContext): JsonSchema {
  const { required, propertyNames, ...rest } = jsonSchema
  const json: JsonSchema = required && required.length > 0 ? { ...rest, required } : rest
  return valibotSchema.type === 'nullable' || valibotSchema.type === 'nullish' ? withNull(json) : json
}

function withNull({ anyOf = [], ...rest }: JsonSchema): JsonSchema {
  const [inner] = anyOf
  if (typeof inner !== 'object' || inner.enum || inner.const !== undefined) return { ...rest, anyOf }
  if (typeof inner.type === 'string') return { ...inner, type: [inner.type, 'null'], ...rest }
  return Array.isArray(inner.type) && inner.type.includes('null') ? { ...inner, ...rest } : { ...rest, anyOf }
}
