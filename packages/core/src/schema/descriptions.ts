import type { AnyField, AnyReference } from './field-types.ts'
import type { Documentation, InputDescription, Level } from './fields.ts'
import { KINDS, type KindName } from './index.ts'
import { fieldsOf, isIncluded, isShown } from './responses.ts'

/** Texts of fields, by their names. */
export type FieldTexts = Readonly<Record<string, string>>

/** The texts of the fields of a view. */
export function describeView(kind: KindName, level: Level): FieldTexts {
  return Object.fromEntries(
    fieldsOf(kind)
      .filter(([, field]) => isShown(field, level) || isIncluded(field))
      .map(([name, field]) => [name, field.description ?? '']),
  )
}

/** The texts of the fields of an input. That of a create names the value of a field that is left out. */
export function describeInput(kind: KindName, verb: 'create' | 'update'): FieldTexts {
  const texts = fieldsOf(kind).flatMap(([name, field]): (readonly [string, string])[] => {
    if (field.is === 'reference') return describeReferences(field, verb)
    return field.is === 'value' || 'schemas' in field ? [[name, describeSent(field, verb)]] : []
  })
  return Object.fromEntries(texts)
}

function describeReferences({ inputs }: AnyReference, verb: 'create' | 'update'): [string, string][] {
  return Object.entries(inputs).map(([name, { description }]) => [name, textFor(description, verb)])
}

function describeSent(field: AnyField, verb: 'create' | 'update'): string {
  const { description = '', inputDescription = description } = field as Partial<Documentation>
  const text = textFor(inputDescription, verb)
  const initial = field.is === 'value' && verb === 'create' ? field.initial : undefined
  if (typeof initial === 'number') return `${text} Default: ${initial}.`
  return typeof initial === 'string' || typeof initial === 'boolean'
    ? `${text} Default: \`${initial}\`.`
    : text
}

function textFor(description: InputDescription, verb: 'create' | 'update'): string {
  return typeof description === 'string' ? description : description[verb]
}

/** An example of a view, with examples of the records that it embeds. */
export function exampleOf(kind: KindName, level: Level): object {
  return Object.fromEntries(
    fieldsOf(kind)
      .filter(([, field]) => isShown(field, level))
      .map(([name, field]) => [name, exampleOfField(field)]),
  )
}

function exampleOfField(field: AnyField): unknown {
  if (field.is === 'views') return [exampleOf(field.kind as KindName, field.shows)]
  if (field.is === 'reference')
    return field.example === null ? null : exampleOf(field.kind as KindName, field.shows)
  return 'example' in field ? field.example : undefined
}

/** The texts of the query parameters that compare fields of a kind. */
export function describeFilters(kind: KindName): FieldTexts {
  const texts = fieldsOf(kind).flatMap(([, field]) =>
    Object.entries(('filters' in field && field.filters) || {}).map(([name, { description }]) => [
      name,
      description,
    ]),
  )
  return Object.fromEntries(texts)
}

/** @returns the name of the kind in the OpenAPI document: `TaskType` */
export function nameOfKind(kind: KindName): string {
  return KINDS[kind].label.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
}
