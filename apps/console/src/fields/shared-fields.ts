import type { CreatableKind } from '../records/kinds.ts'
import type { ChoiceField, RecordField, TextField } from './field.ts'
import { KIND_FIELDS } from './kind-fields.ts'

/** A field of the kind that many records can have alike. */
export type SharedField = TextField<never> | ChoiceField<never>

/** Without the name, contacts and amounts, whose currencies differ. Every list has these fields, so that a change can be undone. */
export function listSharedFields(kind: CreatableKind): readonly SharedField[] {
  const { columns, moreColumns } = KIND_FIELDS[kind]
  const [, ...others] = [...columns, ...moreColumns] as readonly RecordField<never>[]
  return others.filter(isShared)
}

function isShared(field: RecordField<never>): field is SharedField {
  return field.type === 'text' || field.type === 'date' || field.type === 'choice'
}
