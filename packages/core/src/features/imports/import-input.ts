import * as v from 'valibot'
import { integerParameter } from '../../engine/list-query.ts'
import { flag, integer, oneOf } from '../../kernel/field-schemas.ts'
import { changeable, listOf, object } from '../../kernel/object-schemas.ts'
import { jsonSchema, multiLineText, singleLineText } from '../../kernel/text-schemas.ts'
import { CUSTOM_FIELD_TYPES } from '../../schema/custom-field-types.ts'
import { FILE_FORMATS } from '../../schema/import.ts'
import { IMPORT_KINDS } from './columns/import-kind.ts'
import { EVENT_MODES, INVALID_MODES, POLICIES } from './import-record.ts'

/** 512 MB. */
export const MAX_IMPORT_BYTES = 512 * 1_000_000
/** Of one call. */
export const MAX_PART_BYTES = 8 * 1_048_576

const kind = oneOf(IMPORT_KINDS)
const policy = oneOf(POLICIES)
const nullable = v.nullable

export const importInput = object({
  name: singleLineText(1, 255),
  size: integer(1, MAX_IMPORT_BYTES),
  format: v.nullish(oneOf(FILE_FORMATS)),
  kind: v.nullish(kind),
})

export interface ImportInput {
  /** The name of the file. */
  readonly name: string
  /** In bytes, up to 512 MB. */
  readonly size: number
  /** Default: by the end of the name, else `csv`. */
  readonly format?: (typeof FILE_FORMATS)[number] | null | undefined
  /** The kind of the rows. Default: by the names of the columns. */
  readonly kind?: (typeof IMPORT_KINDS)[number] | null | undefined
}

/** The place of a part in the file. */
export const uploadQuery = v.object({
  offset: integerParameter({
    ...{ min: 0, max: MAX_IMPORT_BYTES },
    message: `Must be a whole number from 0 to ${MAX_IMPORT_BYTES}.`,
  }),
})

/** Of a column. */
const MAX_REPLACEMENTS = 200
/** A check shows two hundred characters of a cell, and a sign that there are more. */
const MAX_SHOWN_CHARACTERS = 201

const replacement = object({
  from: v.pipe(
    multiLineText(MAX_SHOWN_CHARACTERS),
    v.check((text) => text.trim() !== '', 'Required.'),
    jsonSchema({ minLength: 1 }),
  ),
  to: nullable(multiLineText(255)),
})

const column = object({
  /** From 0. */
  column: integer(0, 999),
  target: v.optional(
    nullable(
      object({
        kind,
        field: singleLineText(1, 120),
        source: v.optional(singleLineText(1, 60)),
        type: v.optional(oneOf(CUSTOM_FIELD_TYPES)),
        label: v.optional(singleLineText(1, 40)),
        options: v.optional(listOf(singleLineText(1, 80), 1, 100, 'options')),
      }),
    ),
  ),
  number_format: v.optional(oneOf(['point', 'comma'])),
  date_order: v.optional(oneOf(['dmy', 'mdy', 'ymd'])),
  replace: v.optional(listOf(replacement, 0, MAX_REPLACEMENTS, 'replacements')),
  if_invalid: v.optional(oneOf(INVALID_MODES)),
})

/** Values under names that are checked where they are used. */
const byName = <S extends v.GenericSchema>(value: S) =>
  v.pipe(v.record(v.string(), value, 'Must be an object.'), jsonSchema({ type: 'object' }))

export const importChanges = object(
  changeable({
    name: singleLineText(1, 255),
    encoding: nullable(oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])),
    delimiter: nullable(oneOf([',', ';', '\t', '|'])),
    has_header: flag,
    kind: nullable(kind),
    columns: listOf(column, 1, 1000, 'columns'),
    match: byName(nullable(singleLineText(1, 80))),
    policy,
    policies: byName(policy),
    clear_empty: flag,
    owner_email: nullable(singleLineText(3, 254)),
    tags: listOf(singleLineText(1, 60), 0, 20, 'tags'),
    list: nullable(singleLineText(1, 80)),
    keep_history: flag,
    events: oneOf(EVENT_MODES),
  }),
)

export type ImportChanges = v.InferInput<typeof importChanges>

export const runInput = object({ confirm_deliveries: v.optional(flag, false) })

export type ImportRun = v.InferInput<typeof runInput>

export const decisionsInput = object({
  decisions: listOf(
    object({
      number: integer(0, Number.MAX_SAFE_INTEGER),
      decision: oneOf(['keep', 'revert']),
    }),
    1,
    100,
    'decisions',
  ),
})

export type Decisions = v.InferInput<typeof decisionsInput>
