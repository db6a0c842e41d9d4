import * as v from 'valibot'
import { jsonSchema } from './text-schemas.ts'

/**
 * An array of bounded length. The length is checked before the entries.
 * @param keywords additional JSON Schema keywords
 */
export function listOf<Item extends v.GenericSchema>(
  item: Item,
  min: number,
  max: number,
  noun: string,
  keywords: object = {},
) {
  const message =
    min > 0 ? `Must have between ${min} and ${max} ${noun}.` : `Must have at most ${max} ${noun}.`
  return v.pipe(
    v.array(v.unknown(), 'Must be an array.'),
    v.check((items) => items.length >= min && items.length <= max, message),
    jsonSchema({ type: 'array', items: item, ...(min > 0 && { minItems: min }), maxItems: max, ...keywords }),
    v.array(item),
  ) as v.GenericSchema<readonly v.InferInput<Item>[], v.InferOutput<Item>[]>
}

/** A `listOf` texts without duplicates. */
export function distinctListOf<Item extends v.GenericSchema<unknown, string>>(
  item: Item,
  min: number,
  max: number,
  noun: string,
) {
  return v.pipe(
    listOf(item, min, max, noun, { uniqueItems: true }),
    v.check(
      (items) => new Set(items as unknown[]).size === (items as unknown[]).length,
      `Must name none of the ${noun} twice.`,
    ),
  )
}

export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
  message = 'Must be an object.',
) {
  return rejectArray(v.object(entries, message))
}

/** Makes an object schema reject an array, which is an object to valibot. */
export function rejectArray<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run'(dataset, config) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  }
}

/** Fields of a create that may be left out or null. */
export function optional<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.nullish(schema)) as {
    [F in keyof Entries]: v.NullishSchema<Entries[F], undefined>
  }
}

/** Fields of an update that may be left out but not cleared. */
export function changeable<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.optional(schema)) as {
    [F in keyof Entries]: v.OptionalSchema<Entries[F], undefined>
  }
}

/** Fields of an update that null clears. */
export function clearable<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.optional(v.nullable(schema))) as {
    [F in keyof Entries]: v.OptionalSchema<v.NullableSchema<Entries[F], undefined>, undefined>
  }
}

/** A field of an update that null resets to `value`. */
export function resettable<S extends v.GenericSchema, const Default>(schema: S, defaultValue: Default) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? defaultValue),
    ),
  )
}

function mapEntries(
  entries: v.ObjectEntries,
  wrap: (schema: v.GenericSchema) => v.GenericSchema,
): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, wrap(schema as v.GenericSchema)]),
  )
}
