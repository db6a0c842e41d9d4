import type { JsonSchema } from '@valibot/to-json-schema'
import { REQUEST_FIELD_DESCRIPTIONS, RESPONSE_FIELD_DESCRIPTIONS } from './field-descriptions.ts'
import { UPDATE_FIELD_DESCRIPTIONS } from './update-field-descriptions.ts'

/** What schemas are, by how their names end or begin. */
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

/** The schema with what it is and what each of its fields means. @throws Error for a field of which nothing is known */
export function describeSchema(name: string, schema: JsonSchema, isRequest: boolean): JsonSchema {
  const description = SCHEMA_DESCRIPTIONS.find(([pattern]) => pattern.test(name))?.[1]
  return {
    ...(description !== undefined && { description: description }),
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
  const described = Object.entries(properties).map(([field, each]) => {
    const at = `${path}.${field}`
    const text = descriptionFor(at, field, isRequest)
    return [
      field,
      typeof each === 'object' ? { ...describeProperties(each, at, isRequest), description: text } : each,
    ]
  })
  return { ...schema, ...inner, properties: Object.fromEntries(described) }
}

function descriptionFor(at: string, field: string, isRequest: boolean): string {
  const text =
    (isRequest ? requestFieldDescription(at, field) : RESPONSE_FIELD_DESCRIPTIONS[at]) ??
    RESPONSE_FIELD_DESCRIPTIONS[field]
  if (text === undefined) throw new Error(`Nothing is said of ${at}: add it to field-descriptions.ts.`)
  return text
}

function requestFieldDescription(at: string, field: string): string | undefined {
  return (
    REQUEST_FIELD_DESCRIPTIONS[at] ??
    (/Changes\.\w+$/.test(at) ? UPDATE_FIELD_DESCRIPTIONS[field] : undefined) ??
    REQUEST_FIELD_DESCRIPTIONS[field]
  )
}
