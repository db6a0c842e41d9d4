import {
  describeInput,
  describeView,
  FILTERED_KINDS,
  type FieldTexts,
  type FilteredKind,
  listInput,
  listNamedViews,
  nameOfKind,
  RESOURCES,
} from '@sales-crm/core/declarations'
import type { JsonSchema } from '@valibot/to-json-schema'
import { LINK_TEXTS } from './link-texts.ts'
import { toPascalCase } from './names.ts'
import { describeParameter } from './parameter-descriptions.ts'
import { REQUEST_FIELD_DESCRIPTIONS } from './request-field-descriptions.ts'
import { RESPONSE_FIELD_DESCRIPTIONS } from './response-field-descriptions.ts'

/** Descriptions of schemas by a pattern of their names. The first match applies. */
const SCHEMA_DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/ListItem$/, 'A record in a list.'],
  [/Summary$/, 'A record embedded in another record.'],
  [/Snapshot$/, 'A record in an event.'],
  [/Page$/, 'A page of a list, with paging information.'],
  [/Event$/, 'Body of a delivery: the event, and the record at that time.'],
  [/^New.*BulkChange$/, 'Which records are changed, and how.'],
  [/^New/, 'Input for a new record. `null` in an optional field is equivalent to omitting it.'],
  [/Changes$/, 'Changes to a record: at least one field. Omitted fields stay unchanged.'],
  [/Query$/, 'The parameters of a list.'],
  [/Upsert$/, 'A value, and the fields of the record that holds it.'],
  [/^StageChange$/, 'An existing stage with its `id`, or a new stage.'],
]

/** The texts of records and of their inputs, by the name of the schema. */
const KIND_TEXTS: Readonly<Record<string, FieldTexts>> = {
  ...Object.fromEntries(listNamedViews().map(({ name, texts }) => [name, texts])),
  ...Object.fromEntries(
    Object.values(RESOURCES).flatMap(({ collection }) => [
      [`New${nameOfKind(collection)}`, describeInput(collection, 'create')],
      [`${nameOfKind(collection)}Changes`, describeInput(collection, 'update')],
    ]),
  ),
  ...Object.fromEntries(
    FILTERED_KINDS.flatMap((kind) => [
      [`${nameOfKind(kind)}Query`, describeListInput(kind)],
      [`New${nameOfKind(kind)}BulkChange`, describeListInput(kind)],
      [`New${nameOfKind(kind)}BulkChange.change`, describeInput(kind, 'update')],
    ]),
  ),
  ...LINK_TEXTS,
  PersonSnapshot: describeView('people', 'detail'),
  Member: describeView('members', 'detail'),
  MemberSnapshot: {
    ...describeView('members', 'detail'),
    created_at: 'When the member joined the workspace, or was invited.',
  },
  NewLineItem: describeInput('deal_items', 'create'),
  LineItemChanges: describeInput('deal_items', 'update'),
  'LineItems.items': describeInput('deal_items', 'update'),
  NewOffer: describeInput('deal_offers', 'create'),
  OfferItem: describeView('deal_items', 'item'),
  NewStage: describeInput('stages', 'create'),
  StageChange: describeInput('stages', 'update'),
  AttachmentInput: describeInput('attachments', 'create'),
}

function describeListInput(kind: FilteredKind): FieldTexts {
  const names = Object.keys(listInput(kind).entries)
  return Object.fromEntries(names.map((name) => [name, describeParameter(`list${toPascalCase(kind)}`, name)]))
}

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
  const parent = path.slice(0, -field.length - 1)
  const text =
    KIND_TEXTS[parent]?.[field] ??
    (isRequest ? requestFieldDescription(path, field) : RESPONSE_FIELD_DESCRIPTIONS[path]) ??
    RESPONSE_FIELD_DESCRIPTIONS[field]
  if (text === undefined)
    throw new Error(`${path} has no description: add it to response-field-descriptions.ts.`)
  return text
}

function requestFieldDescription(path: string, field: string): string | undefined {
  return REQUEST_FIELD_DESCRIPTIONS[path] ?? REQUEST_FIELD_DESCRIPTIONS[field]
}
