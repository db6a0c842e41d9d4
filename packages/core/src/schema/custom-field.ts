import * as v from 'valibot'
import { key } from '../kernel/field-schemas.ts'
import { listOf, object } from '../kernel/object-schemas.ts'
import { responseSchema, textResponse } from '../kernel/response-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from './custom-field-types.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { choiceOf, flagType, jsonOf, textOf } from './value-types.ts'

/** What the names of custom fields begin with where other fields are named, too. */
export const CUSTOM_PREFIX = 'custom_fields.'

/** An option of a `select` or `multi_select` field. */
export interface SelectOption {
  /** The value in inputs and responses; unique in the field. */
  readonly key: string
  /** Display name. */
  readonly option: string
}

/** The options of a `select` or `multi_select` field, in display order. */
export interface SelectOptions {
  readonly select_list: readonly SelectOption[]
}

const selectList = v.pipe(
  listOf(object({ key, option: singleLineText(1, 80) }), 1, 200, 'entries'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const list = dataset.value
    const seenKeys = new Set<string>()
    for (const [index, entry] of list.entries()) {
      if (seenKeys.has(entry.key)) {
        const listItem = { type: 'array', origin: 'value', input: list, key: index, value: entry } as const
        const keyItem = {
          type: 'object',
          origin: 'value',
          input: { ...entry },
          key: 'key',
          value: entry.key,
        } as const
        addIssue({ message: 'Must be unique in the list.', path: [listItem, keyItem] })
      }
      seenKeys.add(entry.key)
    }
  }),
)

const options = object(
  { select_list: selectList },
  'Must be an object with a select_list, for select and multi_select alone.',
)

export const optionResponse = responseSchema<SelectOption>()({ key: textResponse, option: textResponse })
const optionsResponse = v.strictObject({ select_list: v.array(optionResponse) })

export const NO_OPTIONS_MESSAGE = 'Must be left out: only select and multi_select have options.'
const UNCHANGEABLE = 'Must equal the current value: it cannot be changed.'
const KEY_RULE = 'Lower-case letters and digits, joined by single underscores, unique.'

export const customFields = defineKind({
  label: 'Custom field',
  collection: 'custom_fields',
  scopes: { read: 'custom_fields:read', write: 'custom_fields:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-274d-70a6-816a-d2936fbbfe75'),
    label: value(textOf(singleLineText(1, 40)), {
      ...{ need: 'required', level: 'item', sortable: true },
      description: 'Display name.',
      example: 'Segmento',
    }),
    /** Unique in the workspace; names the field in inputs. It never changes. */
    key: value(textOf(key), {
      ...{ need: 'required', level: 'item', unique: true },
      description: 'Identifier for requests: lower-case letters and digits, joined by single underscores.',
      inputDescription: { create: KEY_RULE, update: UNCHANGEABLE },
      example: 'segment',
    }),
    type: value(choiceOf(CUSTOM_FIELD_TYPES), {
      ...{ need: 'required', level: 'item' },
      description: 'Type of the values. It cannot be changed.',
      inputDescription: { create: 'Type.', update: UNCHANGEABLE },
      example: 'select',
    }),
    /** Null for types without options. */
    value: value(jsonOf<SelectOptions, typeof options>(options, optionsResponse), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Options of `select` and `multi_select` fields; `null` for other types.',
      inputDescription: {
        create: 'Options, for `select` and `multi_select` fields only.',
        update: 'Options that replace the current ones.',
      },
      example: {
        select_list: [
          { key: 'retail', option: 'Varejo' },
          { key: 'industry', option: 'Indústria' },
        ],
      },
    }),
    /** It cannot be cleared. Records without a value stay. */
    required: value(flagType, {
      ...{ need: 'optional', initial: false, level: 'item' },
      description: '`true` if a new record must have a value.',
      example: false,
    }),
    show_people: value(flagType, {
      ...{ need: 'optional', initial: true, level: 'item' },
      description: '`true` if people have the field.',
      example: true,
    }),
    show_companies: value(flagType, {
      ...{ need: 'optional', initial: true, level: 'item' },
      description: '`true` if companies have the field.',
      example: true,
    }),
    show_deals: value(flagType, {
      ...{ need: 'optional', initial: false, level: 'item' },
      description: '`true` if deals have the field.',
      example: false,
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('hidden'),
  },
  check: { create: checkOptions },
  texts: {
    about: 'Your own fields on people, companies and deals.',
    list: 'All custom fields of the workspace.',
    create:
      '`value` contains the options of `select` and `multi_select` fields; omit it for other types. ' +
      'A workspace has at most 500 custom fields.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`key\` and \`type\` cannot be changed. ` +
      'An option that a record uses cannot be removed.',
    remove: `${DELETE_NOTE} Its values are no longer returned.`,
  },
  errorExamples: { type: 'Required.', 'value.select_list[1].key': 'Must be unique in the list.' },
  conflictExamples: { update: { value: '3 records hold the option "red". Change them first.' } },
  inputExamples: {
    create: {
      label: 'Segmento',
      key: 'segment',
      type: 'select',
      value: {
        select_list: [
          { key: 'retail', option: 'Varejo' },
          { key: 'industry', option: 'Indústria' },
        ],
      },
    },
    update: { label: 'Segmento de mercado', show_deals: true },
  },
})

/** A field that a workspace adds to its people, companies or deals. */
export interface CustomField extends RecordOf<typeof customFields.fields> {}

interface FieldOptions {
  readonly type: CustomFieldType
  readonly value?: object | null | undefined
}

function checkOptions(schema: v.GenericSchema): v.GenericSchema {
  return v.pipe(
    schema as v.ObjectSchema<
      {
        readonly type: v.GenericSchema<CustomFieldType>
        readonly value: v.GenericSchema<object | null | undefined>
      },
      undefined
    >,
    v.forward(
      v.partialCheck([['type']], (field: FieldOptions) => !lacksOptions(field), 'Required.'),
      ['value'],
    ),
    v.forward(
      v.partialCheck([['type']], (field: FieldOptions) => !hasNeedlessOptions(field), NO_OPTIONS_MESSAGE),
      ['value'],
    ),
  )
}

export function lacksOptions({ type, value }: FieldOptions): boolean {
  return isSelect(type) && value == null
}

export function hasNeedlessOptions({ type, value }: FieldOptions): boolean {
  return !isSelect(type) && value != null
}

function isSelect(type: CustomFieldType): boolean {
  return type === 'select' || type === 'multi_select'
}
