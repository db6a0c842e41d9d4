import type { CustomField, MemberListItem, Tag } from '@sales-crm/client'
import type { ImportKind } from '../can-import.ts'
import type { CellError } from '../rows/read-cell.ts'
import type { ExistingRecord, RecordInput } from '../run/record-input.ts'
import type { SheetError } from '../sheet/sheet.ts'

/** A file, and what its import makes of it. */
export interface FileCase {
  /** Ends the sentence `the import …`. */
  readonly does: string
  readonly file: string
  readonly kind?: ImportKind
  /** Of the workspace; en-US if undefined. */
  readonly locale?: string
  readonly fields?: readonly Field[]
  readonly members?: readonly Pick<MemberListItem, 'id' | 'name' | 'email'>[]
  readonly tags?: readonly Pick<Tag, 'id' | 'name' | 'key'>[]
  /** What the user chose for each column, in place of what is matched. */
  readonly chosen?: readonly (string | null)[]
  /** The target of each column by its head; null is not brought in. */
  readonly columns?: Readonly<Record<string, string | null>>
  /** A record that is there: each row changes it. */
  readonly existing?: Partial<ExistingRecord>
  /** Of each row. */
  readonly records?: readonly FileRecord[]
  /** Of each row, in place of records: the head of the column, the text and the reason. */
  readonly errors?: readonly (readonly (readonly [string | null, string, CellError | 'noName'])[])[]
  readonly sheetError?: SheetError
}

export type Field = Pick<CustomField, 'key' | 'label' | 'type'> & { readonly value?: CustomField['value'] }

/** What is sent for a row, with the name of the company and the note, which are sent on their own. */
export type FileRecord = RecordInput & { readonly company?: string; readonly note?: string }

export const ADDRESS: Field = { key: 'address', label: 'Address', type: 'address' }
