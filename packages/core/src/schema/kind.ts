import * as v from 'valibot'
import type { Scope } from '../kernel/actor.ts'
import { object, resettable } from '../kernel/object-schemas.ts'
import type { MemberAccess } from '../kernel/permissions.ts'
import type { AnyShape, ColumnDeclaration } from '../kernel/shape.ts'
import type { AnyField, AnyReference, EntriesOf, Fields, OrderOf } from './field-types.ts'
import type { Need } from './fields.ts'

interface PartOptions<C extends string, F extends Fields> {
  readonly collection: C
  /** The noun in messages: `Task type not found.` */
  readonly label: string
  readonly fields: F
}

/** A collection whose records are shown, alone or as a part of others. */
export interface Kind<C extends string = string, F extends Fields = Fields> extends PartOptions<C, F> {
  /** The columns, unique fields and foreign keys, for the stores. */
  readonly shape: AnyShape
  readonly create: InputSchema<F, 'create'>
  readonly update: InputSchema<F, 'update'>
}

type InputSchema<F extends Fields, V extends 'create' | 'update'> =
  EntriesOf<F, V> extends infer E extends v.ObjectEntries ? v.ObjectSchema<E, string> : never

interface RecordOptions<C extends string, F extends Fields> extends PartOptions<C, F> {
  readonly scopes: { readonly read: Scope; readonly write: Scope }
  readonly memberAccess: MemberAccess
  /** First letter of the public codes in `entity_id`, for kinds with codes. */
  readonly codePrefix?: string
  /** Checks of inputs that concern several fields. */
  readonly check?: {
    readonly create?: (schema: v.GenericSchema) => v.GenericSchema
    readonly update?: (schema: v.GenericSchema) => v.GenericSchema
  }
  /** Texts in the OpenAPI document, of the kind and of its operations. */
  readonly texts: Readonly<Record<'about' | 'list' | 'create' | 'update' | 'remove', string>>
  /** Errors of an input in the OpenAPI document, by field. */
  readonly errorExamples: Readonly<Record<string, string>>
  /** Conflicts in the OpenAPI document, by field, besides those of unique fields. */
  readonly conflictExamples?: {
    readonly create?: Readonly<Record<string, string>>
    readonly update?: Readonly<Record<string, string>>
    readonly remove?: Readonly<Record<string, string>>
  }
  /** Inputs in the OpenAPI document. */
  readonly inputExamples: { readonly create: object; readonly update: object }
}

/** A kind of record with an API of its own. */
export interface RecordKind<C extends string = string, F extends Fields = Fields>
  extends Kind<C, F>,
    Omit<RecordOptions<C, F>, 'check'> {
  /** The fields by which lists can be ordered, the default one first. */
  readonly orderBy: readonly [OrderOf<F>, ...OrderOf<F>[]]
}

export function definePart<const C extends string, const F extends Fields>(
  options: PartOptions<C, F>,
): Kind<C, F> {
  return buildKind(options, {})
}

export function defineKind<const C extends string, const F extends Fields>({
  check = {},
  ...options
}: RecordOptions<C, F>): RecordKind<C, F> {
  const { id, created_at, updated_at, ...others } = options.fields
  const sortable = Object.entries<object>({ created_at, updated_at, ...others })
    .filter(([, field]) => 'sortable' in field && field.sortable === true)
    .map(([name]) => name)
  return {
    ...options,
    ...buildKind(options, check),
    orderBy: sortable as unknown as readonly [OrderOf<F>, ...OrderOf<F>[]],
  }
}

function buildKind<C extends string, F extends Fields>(
  { collection, label, fields }: PartOptions<C, F>,
  { create = identity, update = identity }: NonNullable<RecordOptions<C, F>['check']>,
): Kind<C, F> {
  const entries = Object.entries(fields) as readonly (readonly [string, object])[] as readonly NamedField[]
  return {
    ...{ collection, label, fields },
    shape: buildShape(entries),
    create: create(object(buildEntries(entries, 'create'))) as InputSchema<F, 'create'>,
    update: update(object(buildEntries(entries, 'update'))) as InputSchema<F, 'update'>,
  }
}

function identity(schema: v.GenericSchema): v.GenericSchema {
  return schema
}

type NamedField = readonly [name: string, field: AnyField]

function buildShape(fields: readonly NamedField[]): AnyShape {
  const columns = fields.flatMap(([name, field]): [string, ColumnDeclaration][] => {
    if (field.is === 'reference') return [[field.column, field.need === 'clearable' ? 'uuid?' : 'uuid']]
    if (field.is === 'system') {
      const { column } = field.type
      return field.isBase ? [] : [[name, field.initial === null ? `${column}?` : column]]
    }
    if (field.is !== 'value') return []
    return [[name, field.need === 'clearable' ? `${field.type.column}?` : field.type.column]]
  })
  const foreignKeys = fields.flatMap(([name, field]) => {
    if (field.is === 'reference') return [[field.column, field.kind] as const]
    return field.is === 'system' && field.references ? [[name, field.references] as const] : []
  })
  return {
    columns: Object.fromEntries(columns),
    unique: fields.flatMap(([name, field]) => (field.is === 'value' && field.unique ? [name] : [])),
    uniqueForever: fields.flatMap(([name, field]) =>
      field.is === 'system' && field.uniqueForever ? [name] : [],
    ),
    foreignKeys: Object.fromEntries(foreignKeys) as AnyShape['foreignKeys'],
  }
}

function buildEntries(fields: readonly NamedField[], verb: 'create' | 'update'): v.ObjectEntries {
  return Object.assign({}, ...fields.map(([name, field]) => entriesOf(name, field, verb)))
}

function entriesOf(name: string, field: AnyField, verb: 'create' | 'update'): v.ObjectEntries {
  if (field.is === 'value') return { [name]: toEntry(field.type.input, field.need, verb, field.initial) }
  if (field.is === 'reference') return referenceEntries(field, verb)
  const schema = 'schemas' in field ? field.schemas?.[verb] : undefined
  return schema ? { [name]: schema } : {}
}

function referenceEntries({ inputs, need }: AnyReference, verb: 'create' | 'update'): v.ObjectEntries {
  const entries = Object.entries(inputs)
  return Object.fromEntries(entries.map(([name, { schema }]) => [name, toEntry(schema, need, verb)]))
}

/** A field of a create that may be left out may be null, too. */
function toEntry(
  schema: v.GenericSchema,
  need: Need,
  verb: 'create' | 'update',
  initial?: unknown,
): v.GenericSchema {
  if (verb === 'create') return need === 'required' ? schema : v.nullish(schema, initial)
  if (need === 'clearable') return v.optional(v.nullable(schema))
  return need === 'resettable' ? resettable(schema, initial) : v.optional(schema)
}
