import type { ColumnKind } from '../../../kernel/shape.ts'
import type { AnyField } from '../../../schema/field-types.ts'
import { KINDS } from '../../../schema/index.ts'
import type { ValueType } from '../../../schema/value-types.ts'
import type { FieldTarget } from './target.ts'

/** How the field of a target is stored; undefined for one that is made up of others, or of other records. */
export function columnOf(target: FieldTarget): ColumnKind | undefined {
  return typeOf(target)?.column
}

/** The declared type of the field of a target. */
export function typeOf({ kind, field }: FieldTarget): ValueType<unknown> | undefined {
  const [name = ''] = field.split(':')
  const fields = KINDS[kind].fields as unknown as Readonly<Record<string, AnyField | undefined>>
  const declared = Object.hasOwn(fields, name) ? fields[name] : undefined
  return declared?.is === 'value' || declared?.is === 'system' ? declared.type : undefined
}
