import type { CustomFieldView } from '@sales-crm/core'
import {
  AGGREGATE_ENTITIES,
  AGGREGATE_OPTIONS,
  customFieldOperators,
  describeFilterFields,
  FILTERED_KINDS,
  RESOURCES,
} from '@sales-crm/core/declarations'
import { oneOf, toolArguments } from '../argument-schemas.ts'
import { describeFields, describeRecord } from '../descriptions.ts'
import { ENTITIES, type Entity, fieldsOf, filtersOf, isEntity, orderNamesOf } from '../entity.ts'
import { listAll } from '../list-all.ts'
import { isShownFor } from '../name-lookups.ts'
import { defineTool, READ_HINTS } from '../tool.ts'
import { allowedEntities, type Scopes } from '../tool-scopes.ts'
import type { Caller } from '../types.ts'

const CUSTOM_FIELD_ENTITIES: readonly Entity[] = ['people', 'companies', 'deals']

export const describeSchema = defineTool({
  name: 'describe_schema',
  title: 'Describe a kind of record',
  description:
    'Fields of a kind of record with types and rules, its filters and sort orders, and the custom ' +
    'fields of this workspace. Call it before the first write of a kind.',
  hints: READ_HINTS,
  input(scopes) {
    const entities = describableEntities(scopes)
    return entities.length > 0 ? toolArguments({ entity: oneOf(entities) }) : undefined
  },
  /** Either of the read and write scopes is enough. */
  requiredScopes: ({ entity }, scopes) =>
    isEntity(entity) && !describableEntities(scopes).includes(entity) ? [RESOURCES[entity].scopes.read] : [],
  async run(caller, { entity }) {
    const { label, create, update, scopes } = RESOURCES[entity]
    const aggregateEntity = AGGREGATE_ENTITIES.find((each) => each === entity)
    return {
      result: {
        entity,
        label,
        fields: describeRecord(fieldsOf(create), fieldsOf(update)),
        ...(CUSTOM_FIELD_ENTITIES.includes(entity) && (await describeCustomFields(caller, entity))),
        filters: describeFields(filtersOf(entity)),
        ...(FILTERED_KINDS.some((kind) => kind === entity) && {
          filter_fields: describeFilterFields(entity),
        }),
        order_by: orderNamesOf(entity),
        ...(aggregateEntity && { aggregate: AGGREGATE_OPTIONS[aggregateEntity] }),
        scopes,
      },
    }
  },
})

function describableEntities(scopes: Scopes): readonly Entity[] {
  return ENTITIES.filter(
    (entity) =>
      allowedEntities(scopes, [entity], ['read']).length +
        allowedEntities(scopes, [entity], ['write']).length >
      0,
  )
}

async function describeCustomFields({ crm, actor }: Caller, entity: Entity) {
  const { read } = RESOURCES.custom_fields.scopes
  if (!actor.scopes.has(read))
    return { custom_fields: null, left_out: { custom_fields: `Takes the scope ${read}.` } }
  const customFields = await listAll((page) => crm.customFields.list(actor, page))
  return { custom_fields: customFields.filter((field) => isShownFor(field, entity)).map(describeCustomField) }
}

function describeCustomField({ key, label, type, required, value }: CustomFieldView) {
  return {
    ...{ key, label, type, filter: { name: `custom_fields.${key}`, operators: customFieldOperators(type) } },
    ...(required && { required }),
    ...(value && { options: value.select_list }),
  }
}
