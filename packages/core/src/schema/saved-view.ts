import * as v from 'valibot'
import { oneOf } from '../kernel/field-schemas.ts'
import { listOf } from '../kernel/object-schemas.ts'
import { textResponse } from '../kernel/response-schemas.ts'
import { ROLES, type Role } from '../kernel/role.ts'
import { singleLineText, singleLineTextOrNull } from '../kernel/text-schemas.ts'
import { GROUP_NAMES } from './aggregate-options.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { filterInput } from './filter-parameter.ts'
import type { FilterTree } from './filter-tree.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { reference } from './reference-fields.ts'
import { choiceOf, jsonOf, textOf } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** The kinds whose lists are filtered and ordered by any field. */
export const FILTERED_KINDS = ['people', 'companies', 'deals', 'tasks', 'products'] as const

export type FilteredKind = (typeof FILTERED_KINDS)[number]

/** With whom a view is shared, besides its owner. `team`: the members of the owner's teams. */
export const VIEW_AUDIENCES = ['nobody', 'team', 'everyone'] as const

const VIEW_LAYOUTS = ['table', 'board'] as const

const MAX_COLUMNS = 40
const MAX_NAME_LENGTH = 128

const columnNames = v.pipe(
  listOf(singleLineText(1, MAX_NAME_LENGTH), 1, MAX_COLUMNS, 'columns'),
  v.check((names) => new Set(names).size === names.length, 'Must name each column once.'),
)

const roles = v.pipe(
  listOf(oneOf(ROLES), 0, ROLES.length, 'roles'),
  v.check((names) => new Set(names).size === names.length, 'Must name each role once.'),
)

const nameList = v.array(textResponse)

/** An object: documents do not repeat the rules of the filter. */
export const filterResponse = v.record(v.string(), v.unknown()) as unknown as v.GenericSchema<
  unknown,
  FilterTree
>

export const savedViews = defineKind({
  label: 'View',
  collection: 'views',
  scopes: { read: 'views:read', write: 'views:write' },
  memberAccess: 'records',
  fields: {
    id: id('01a1fc31-2a16-7d55-8c2e-5b1f7a9e3c40'),
    kind: value(choiceOf(FILTERED_KINDS), {
      ...{ need: 'required', level: 'item' },
      description: 'Kind of the records. It cannot be changed.',
      inputDescription: {
        create: 'Kind of the records.',
        update: 'Must equal the current value: it cannot be changed.',
      },
      example: 'people',
    }),
    name: value(textOf(singleLineText(1, 80)), {
      ...{ need: 'required', level: 'item', sortable: true },
      description: 'Name.',
      example: 'São Paulo, no contact for 30 days',
    }),
    filter: value(jsonOf<FilterTree, typeof filterInput>(filterInput, filterResponse), {
      ...{ need: 'clearable', level: 'item' },
      description:
        'Comparisons of fields, as the parameter `filter` of lists has them; `null` for all records.',
      example: { field: 'company.full_name', op: 'contains', value: 'pampa' },
    }),
    order_by: value(textOf(singleLineTextOrNull(255)), {
      ...{ need: 'clearable', level: 'item' },
      description: 'One or two fields, as the parameter of lists; `null` for the default order.',
      example: 'full_name',
    }),
    order: value(
      textOf(v.pipe(v.string('Must be a string.'), v.maxLength(16, 'Must be one of: asc, desc.'))),
      {
        ...{ need: 'resettable', initial: 'desc', level: 'item' },
        description: '`asc`, `desc`, or two of them, separated by a comma.',
        example: 'asc',
      },
    ),
    group_by: value(choiceOf(GROUP_NAMES), {
      ...{ need: 'clearable', level: 'item' },
      description:
        'How the console groups the records, as `group_by` of aggregates of the kind names it; `null` for no groups.',
      example: 'owner',
    }),
    columns: value(jsonOf<readonly string[], typeof columnNames>(columnNames, nameList), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Names of the columns that the console shows, in order; `null` for the usual ones.',
      example: ['full_name', 'company', 'custom_fields.segment'],
    }),
    layout: value(choiceOf(VIEW_LAYOUTS), {
      ...{ need: 'resettable', initial: 'table', level: 'item' },
      description: '`board` for views of deals only.',
      example: 'table',
    }),
    shared: value(choiceOf(VIEW_AUDIENCES), {
      ...{ need: 'resettable', initial: 'nobody', level: 'item' },
      description:
        'Who sees the view besides its owner: `nobody`, `team` (the members of the owner’s teams) or `everyone`.',
      example: 'everyone',
    }),
    default_for: value(jsonOf<readonly Role[], typeof roles>(roles, v.array(v.picklist(ROLES))), {
      ...{ need: 'resettable', initial: [], level: 'item' },
      description:
        'Roles whose members begin with this view of the kind. One view of a kind is the default of a role.',
      inputDescription:
        'Roles whose members begin with this view, of a view for `everyone`. Owners of the workspace set it; it is taken from other views of the kind.',
      example: [],
    }),
    owner: reference('members', {
      ...{ column: 'owner_user_id', inputs: {}, need: 'clearable', shows: 'reference', level: 'item' },
      description: 'Who has made the view.',
    }),
    missing_fields: loaded({
      ...{ level: 'item', response: nameList },
      description: 'Fields that the view names and that do not exist any more: they count for nothing.',
      example: [],
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('item'),
  },
  texts: {
    about:
      'Saved filters, orders and columns. Lists, exports, boards and aggregates take `view`. A view gives no right: each ' +
      'reader sees its own records, and `me` is the reader.',
    list: 'The views of the caller, and those that are shared with it.',
    create: 'At most 100 per workspace.',
    update: `${REQUIRED_FIELDS_NOTE} \`kind\` cannot be changed.`,
    remove: DELETE_NOTE,
  },
  errorExamples: { name: 'Required.', 'filter.and[0].field': 'Unknown field.' },
  inputExamples: {
    create: {
      ...{ kind: 'people', name: 'No contact for 30 days', shared: 'team' },
      filter: { field: 'updated_at', op: 'before', value: 'today' },
    },
    update: { name: 'No contact for a month', shared: 'everyone' },
  },
})

/** A saved filter, order and choice of columns of one kind of record. */
export interface SavedView extends RecordOf<typeof savedViews.fields> {}
