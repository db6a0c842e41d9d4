import { AGGREGATE_OPTIONS, AGGREGATED, type CustomFieldView } from '@sales-crm/core'
import { describedFields, describedRecord } from '../described.ts'
import { everything } from '../everything.ts'
import { args, oneOf } from '../inputs.ts'
import { ENTITIES, type Entity, fieldsOf, isEntity, KINDS, kindOf } from '../kinds.ts'
import { isShown } from '../options.ts'
import { openTo, type Scopes } from '../scopes.ts'
import { type Caller, defineTool, READS } from '../tool.ts'

const WITH_CUSTOM_FIELDS: readonly Entity[] = ['people', 'companies', 'deals']

export const describeSchema = defineTool({
  name: 'describe_schema',
  title: 'Describe a kind of record',
  description:
    'The fields that records of a kind take, their types and rules, its filters and orders, and the custom fields of this workspace. Call it before the first write of a kind.',
  hints: READS,
  input(scopes) {
    const open = either(scopes)
    return open.length > 0 ? args({ entity: oneOf(open) }) : undefined
  },
  /** Whoever may read or write them may know what they are. */
  needs: ({ entity }, scopes) => (isEntity(entity) && !either(scopes).includes(entity) ? [KINDS[entity].scopes.read] : []),
  async run(caller, { entity }) {
    const { label, create, update, filters, orderBy, scopes } = kindOf(entity)
    const aggregated = AGGREGATED.find((each) => each === entity)
    return {
      result: {
        entity,
        label,
        fields: describedRecord(fieldsOf(create), fieldsOf(update)),
        ...(WITH_CUSTOM_FIELDS.includes(entity) && (await customFieldsOf(caller, entity))),
        filters: describedFields(filters),
        order_by: orderBy,
        ...(aggregated && { aggregate: AGGREGATE_OPTIONS[aggregated] }),
        scopes,
      },
    }
  },
})

function either(scopes: Scopes): readonly Entity[] {
  return ENTITIES.filter((entity) => openTo(scopes, [entity], ['read']).length + openTo(scopes, [entity], ['write']).length > 0)
}

async function customFieldsOf({ crm, actor }: Caller, entity: Entity) {
  const { read } = KINDS.custom_fields.scopes
  if (!actor.scopes.has(read)) return { custom_fields: null, left_out: { custom_fields: `Takes the scope ${read}.` } }
  const all = await everything((page) => crm.customFields.list(actor, page))
  return { custom_fields: all.filter((field) => isShown(field, entity)).map(described) }
}

function described({ key, label, type, required, value }: CustomFieldView) {
  return { key, label, type, ...(required && { required }), ...(value && { options: value.select_list }) }
}
