import * as v from 'valibot'
import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { flag, key, oneOf } from '../../kernel/field-schemas.ts'
import { changeable, object, optional } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import { CUSTOM_FIELD_TYPES, type CustomField, type CustomFieldType } from '../../schema/custom-field.ts'
import { selectList } from './select-list.ts'

/** A custom field as `crm.customFields` returns it. */
export interface CustomFieldView extends Omit<CustomField, 'updated_at'> {}

interface FieldOptions {
  readonly type: CustomFieldType
  readonly value?: object | null | undefined
}

/** Maximum per workspace. Concurrent creations can exceed it. */
const MAX_FIELDS = 500
const NO_OPTIONS_MESSAGE = 'Must be left out: only select and multi_select have options.'

const label = singleLineText(1, 40)
const type = oneOf(CUSTOM_FIELD_TYPES)
const value = object(
  { select_list: selectList },
  'Must be an object with a select_list, for select and multi_select alone.',
)
const flags = { required: flag, show_people: flag, show_companies: flag, show_deals: flag }

/**
 * The definition of custom fields: the schemas of `CustomFieldInput` (`create`) and `CustomFieldChanges`
 * (`update`), and the filters, orders and scopes.
 */
export const customFields = defineResource<CustomField>()({
  label: 'Custom field',
  scopes: { read: 'custom_fields:read', write: 'custom_fields:write' },
  collection: 'custom_fields',
  orderBy: ['created_at', 'label'],
  filters: {},
  create: v.pipe(
    object({ label, key, type, ...optional({ value, ...flags }) }),
    v.forward(
      v.partialCheck([['type']], (field: FieldOptions) => !lacksOptions(field), 'Required.'),
      ['value'],
    ),
    v.forward(
      v.partialCheck([['type']], (field: FieldOptions) => !hasNeedlessOptions(field), NO_OPTIONS_MESSAGE),
      ['value'],
    ),
  ),
  update: object({ ...changeable({ label, key, type, ...flags }), value: v.optional(v.nullable(value)) }),
  references: {},
  codePrefix: null,
  defaults: {
    label: '',
    key: '',
    type: 'text',
    value: null,
    required: false,
    show_people: true,
    show_companies: true,
    show_deals: false,
  },
  searchTerms: null,
  deriveFields: deriveCustomField,
  events: () => [],
  listView: async (page) => page.map(toCustomFieldView),
  detailView: async (page) => page.map(toCustomFieldView),
  snapshot: null,
})

function lacksOptions({ type, value }: FieldOptions): boolean {
  return isSelect(type) && value == null
}

function hasNeedlessOptions({ type, value }: FieldOptions): boolean {
  return !isSelect(type) && value != null
}

function isSelect(type: CustomFieldType): boolean {
  return type === 'select' || type === 'multi_select'
}

/**
 * Checks the number of fields and the options. Rejects a change of type or key, because records have values
 * of that type under that key.
 */
async function deriveCustomField(
  { before, fields }: DeriveInput<CustomField>,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<CustomField>> {
  if (!before) {
    const { total } = await stores.custom_fields.list({
      page: 1,
      per_page: 1,
      order_by: 'created_at',
      order: 'asc',
      where: [],
    })
    if (total >= MAX_FIELDS)
      errors.set('key', `The workspace has ${MAX_FIELDS} custom fields, which is as many as it can have.`)
    return fields
  }
  for (const field of ['type', 'key'] as const) {
    if (fields[field] !== undefined && fields[field] !== before[field])
      errors.set(field, 'Cannot be changed.')
  }
  const after = { type: before.type, value: fields.value === undefined ? before.value : fields.value }
  if (lacksOptions(after)) errors.set('value', 'Required.')
  if (hasNeedlessOptions(after)) errors.set('value', NO_OPTIONS_MESSAGE)
  return fields
}

function toCustomFieldView({ updated_at, ...field }: CustomField): CustomFieldView {
  return field
}
