import {
  type eventEntities,
  KINDS,
  listNamedViews,
  namedSchemas,
  nameOfKind,
  RESOURCES,
} from '@sales-crm/core/declarations'
import { accessExamples } from './access-examples.ts'
import { BULK_EXAMPLES } from './bulk-texts.ts'
import { extractComponents } from './components.ts'
import { EVENT_ENVELOPES, envelopeName, eventsOf } from './event-envelopes.ts'
import { IMPORT_EXAMPLES } from './import-examples.ts'
import { INPUT_EXAMPLES } from './input-examples.ts'
import { inputSchema, type JsonSchemas, responseSchemas, type Schemas } from './json-schema.ts'
import { LINE_ITEM_EXAMPLES } from './line-item-texts.ts'
import { NOTIFICATION_EXAMPLES } from './notification-texts.ts'
import { OFFER_EXAMPLES } from './offer-texts.ts'
import type { NamedSchema, Operation } from './operation.ts'
import { RECORD_EXAMPLES } from './record-examples.ts'
import { describeSchema } from './schema-descriptions.ts'

/** Returns all schemas of responses, requests and events by name, with field descriptions and examples. */
export function componentSchemas(operations: readonly Operation[], issuer: string): JsonSchemas {
  const responses = {
    ...namedSchemas,
    ...EVENT_ENVELOPES,
    ...schemasByName(operations.map(({ success }) => success.response)),
  }
  const bodies = schemasByName(operations.map(({ body }) => body))
  const clash = Object.keys(bodies).find((name) => name in responses)
  if (clash !== undefined) throw new Error(`${clash} is the name of what is sent and of what is answered.`)
  const changes = new Set(operations.flatMap(({ body }) => (body?.changes ? [body.name] : [])))
  const inputs = Object.entries(bodies).map(([name, schema]) => {
    return [name, { ...inputSchema(schema), ...(changes.has(name) && { minProperties: 1 }) }] as const
  })
  const schemas = extractComponents({ ...responseSchemas(responses), ...Object.fromEntries(inputs) })
  const examples = examplesFor(schemas, issuer)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const example = examples[name]
      return [
        name,
        {
          ...describeSchema(name, schema, !(name in responses)),
          ...(example !== undefined && { examples: [example as never] }),
        },
      ]
    }),
  )
}

const VIEW_EXAMPLES = Object.fromEntries(listNamedViews().map(({ name, example }) => [name, example]))

const KIND_INPUT_EXAMPLES = Object.fromEntries(
  Object.values(RESOURCES).flatMap(({ collection }) => {
    const { create, update } = KINDS[collection].inputExamples
    return [
      [`New${nameOfKind(collection)}`, create],
      [`${nameOfKind(collection)}Changes`, update],
    ]
  }),
)

/** @throws Error if two schemas have the same name */
function schemasByName(entries: readonly (NamedSchema | undefined)[]): Schemas {
  const schemas: Record<string, NamedSchema['schema']> = {}
  for (const each of entries) {
    if (!each) continue
    const { name, schema } = each
    if (name in schemas && schemas[name] !== schema) throw new Error(`There are two schemas called ${name}.`)
    schemas[name] = schema
  }
  return schemas
}

function examplesFor(schemas: JsonSchemas, issuer: string): Readonly<Record<string, unknown>> {
  const records: Readonly<Record<string, object>> = {
    ...VIEW_EXAMPLES,
    ...RECORD_EXAMPLES,
    ...accessExamples(issuer),
    ...BULK_EXAMPLES,
    ...IMPORT_EXAMPLES,
    ...LINE_ITEM_EXAMPLES,
    ...OFFER_EXAMPLES,
    ...NOTIFICATION_EXAMPLES,
  }
  const items = Object.keys(schemas).flatMap((name) => {
    const record = records[name.replace(/ListItem$/, '')]
    return name.endsWith('ListItem') && record
      ? [[name, pickFields(record, Object.keys(schemas[name]?.properties ?? {}))] as const]
      : []
  })
  return {
    ...records,
    ...KIND_INPUT_EXAMPLES,
    ...INPUT_EXAMPLES,
    ...Object.fromEntries(items),
    ...eventExamples(records),
  }
}

function pickFields(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

function eventExamples(records: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  const head = {
    id: '01a1fc31-2b03-7c52-8e7a-0b9d6f41c2aa',
    version: 'v1',
    created_at: '2026-03-01T12:00:00.000Z',
  }
  const snapshots = {
    ...{
      person: 'PersonSnapshot',
      company: 'Company',
      deal: 'Deal',
      task: 'Task',
      activity: 'Activity',
      product: 'Product',
    },
    ...{
      tag: 'Tag',
      pipeline: 'Pipeline',
      team: 'Team',
      member: 'MemberSnapshot',
      import: 'ImportListItem',
      usage_log: 'UsageLog',
      webhook: 'Webhook',
    },
  } as const satisfies Record<keyof typeof eventEntities, string>
  return Object.fromEntries(
    Object.entries(snapshots).map(([entity, name]) => {
      const [event] = eventsOf(entity as keyof typeof snapshots)
      return [envelopeName(event!), { ...head, event, [entity]: records[name] }]
    }),
  )
}
