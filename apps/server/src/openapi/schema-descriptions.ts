import type { JsonSchema } from '@valibot/to-json-schema'
import { REQUEST_FIELD_DESCRIPTIONS, RESPONSE_FIELD_DESCRIPTIONS } from './field-descriptions.ts'
import { UPDATE_FIELD_DESCRIPTIONS } from './update-field-descriptions.ts'

/** Descriptions of schemas by a pattern of their names. The first match applies. */
const SCHEMA_DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/ListItem$/, 'As it is shown in lists.'],
  [/Summary$/, 'As it is shown within another record.'],
  [/Snapshot$/, 'As events carry it.'],
  [/Page$/, 'A page of a list, and where it is among the others.'],
  [/Event$/, 'What is sent to a webhook: the event, and the record at that moment.'],
  [/^New/, 'What one is made with. `null` is the same as leaving a field out, where it may be left out.'],
  [/Changes$/, 'What changes: one field at least. Fields that are left out stay as they are.'],
  [/^StageChange$/, 'A stage that is kept, named by its `id`, or a new one.'],
]

/** Adds descriptions to the schema and each of its fields. @throws Error for a field without a description */
export function describeSchema(name: string, schema: JsonSchema, isRequest: boolean): JsonSchema {
  const description = SCHEMA_DESCRIPTIONS.find(([pattern]) => pattern.test(name))?.[1]
  return {
    ...(description !== undefined && { description }),
    ...describeProperties(schema, name, isRequest),
  }
}

function describeProperties(schema: JsonSchema, path: string, isRequest: boolean): JsonSchema {
  const { properties, items } = schema
  const inner =
    typeof items === 'object' && !Array.isArray(items)
      ? { items: describeProperties(items, path, isRequest) }
      : {}
  if (!properties) return { ...schema, ...inner }
  const describedProperties = Object.entries(properties).map(([field, each]) => {
    const fieldPath = `${path}.${field}`
    const text = descriptionFor(fieldPath, field, isRequest)
    return [
      field,
      typeof each === 'object'
        ? { ...describeProperties(each, fieldPath, isRequest), description: text }
        : each,
    ]
  })
  return { ...schema, ...inner, properties: Object.fromEntries(describedProperties) }
}

function descriptionFor(path: string, field: string, isRequest: boolean): string {
  const text =
    (isRequest ? requestFieldDescription(path, field) : RESPONSE_FIELD_DESCRIPTIONS[path]) ??
    RESPONSE_FIELD_DESCRIPTIONS[field]
  if (text === undefined) throw new Error(`Nothing is said of ${path}: add it to field-descriptions.ts.`)
  return text
}

function requestFieldDescription(path: string, field: string): string | undefined {
  return (
    REQUEST_FIELD_DESCRIPTIONS[path] ??
    (/Changes\.\w+$/.test(path) ? UPDATE_FIELD_DESCRIPTIONS[field] : undefined) ??
    REQUEST_FIELD_DESCRIPTIONS[field]
  )
}
