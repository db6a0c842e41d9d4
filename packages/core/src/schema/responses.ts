import * as v from 'valibot'
import type { Mutable } from '../kernel/response-schemas.ts'
import type { AnyField } from './field-types.ts'
import { LEVELS, type Level } from './fields.ts'
import { KINDS, type KindName } from './index.ts'
import type { ViewOf } from './views.ts'

/** The name of a field in views, and the field. */
export type NamedField = readonly [name: string, field: AnyField]

/** The fields of a kind, in the order of responses. */
export function fieldsOf(kind: KindName): readonly NamedField[] {
  return Object.entries(KINDS[kind].fields) as readonly NamedField[]
}

/** True for a field that every view of the level has. */
export function isShown(field: AnyField, level: Level): boolean {
  return (
    field.level !== 'hidden' &&
    LEVELS.indexOf(field.level) <= LEVELS.indexOf(level) &&
    !(isIncluded(field) && (field.level === 'item' || isOnlyIncluded(field)))
  )
}

/** True for a field that lists have if their query includes it. */
export function isIncluded(field: AnyField): boolean {
  return 'included' in field && field.included === true
}

/** True for a field that also a single record has only if its query includes it. */
function isOnlyIncluded(field: AnyField): boolean {
  return 'onlyIncluded' in field
}

/** The names of what lists can include: fields, and what their records of other kinds have only then. */
export function listIncludes(kind: KindName): readonly string[] {
  return fieldsOf(kind).flatMap(([name, field]) => [
    ...(isIncluded(field) ? [name] : []),
    ...(field.is === 'views' && field.includes !== undefined ? [field.includes] : []),
  ])
}

/** The names of what a single record can include, or has anyway. */
export function detailIncludes(kind: KindName): readonly string[] {
  const fields = new Map(fieldsOf(kind))
  return listIncludes(kind).filter((name) => fields.get(name)?.level !== 'item')
}

/** The schema of a view. */
export type ViewResponse<K extends KindName, L extends Level> = v.GenericSchema<Mutable<ViewOf<K, L>>> & {
  readonly entries: v.ObjectEntries
}

const schemas = new Map<string, ViewResponse<KindName, Level>>()

/** Returns the schema of a view. Each is one object, which the OpenAPI document names. */
export function responseOf<K extends KindName, L extends Level>(kind: K, level: L): ViewResponse<K, L> {
  const key = `${kind} ${lowestEqualLevel(kind, level)}`
  let schema = schemas.get(key)
  if (!schema) {
    schema = v.strictObject(buildEntries(kind, level)) as unknown as ViewResponse<KindName, Level>
    schemas.set(key, schema)
  }
  return schema as unknown as ViewResponse<K, L>
}

/** Returns the lowest level whose views have the same fields: a kind rarely has four different ones. */
export function lowestEqualLevel(kind: KindName, level: Level): Level {
  const namesAt = (each: Level) =>
    fieldsAt(kind, each)
      .map(([name, field]) => (isShown(field, each) ? name : `${name}?`))
      .join()
  return LEVELS.find((each) => namesAt(each) === namesAt(level)) ?? level
}

function fieldsAt(kind: KindName, level: Level): readonly NamedField[] {
  return fieldsOf(kind).filter(
    ([, field]) =>
      isShown(field, level) ||
      (level === 'item' && isIncluded(field)) ||
      (level === 'detail' && isOnlyIncluded(field)),
  )
}

function buildEntries(kind: KindName, level: Level): v.ObjectEntries {
  const entries = fieldsAt(kind, level).map(([name, field]) => {
    const response = responseOfField(field)
    return [name, isShown(field, level) ? response : v.exactOptional(response)] as const
  })
  return Object.fromEntries(entries)
}

function responseOfField(field: AnyField): v.GenericSchema {
  switch (field.is) {
    case 'value':
      return field.need === 'clearable' ? v.nullable(field.type.response) : field.type.response
    case 'system':
      return field.initial === null ? v.nullable(field.type.response) : field.type.response
    case 'reference':
    case 'view':
      return v.nullable(responseOf(field.kind as KindName, field.shows))
    case 'views':
      return v.array(responseOf(field.kind as KindName, field.shows))
    case 'derived':
    case 'loaded':
      return field.response
    case 'input':
      return v.never()
  }
}
