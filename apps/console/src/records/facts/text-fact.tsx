import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { collapseSpaces } from '../../format/single-line.ts'
import type { Kind } from '../kinds.ts'
import type { AnyRecord } from '../use-record.ts'
import { type FieldEdit, useRecordUpdate } from '../use-record-update.ts'
import { Fact } from './fact.tsx'
import { InlineText, type ValueLink } from './inline-text.tsx'

interface TextFactProps {
  readonly kind: Kind
  readonly record: AnyRecord
  readonly label: string
  readonly value: string | null
  readonly links?: readonly ValueLink[]
  /** The edit that sets the field; null clears it. */
  readonly edit: (value: string | null) => FieldEdit
}

/** A field of the record that is plain text. */
export function TextFact({ kind, record, label, value, links, edit }: TextFactProps) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  return (
    <Fact label={label}>
      <InlineText
        label={label}
        display={value ?? undefined}
        links={links}
        text={value ?? ''}
        save={(text, reopen) => {
          update({
            kind,
            id: record.id,
            label,
            to: edit(collapseSpaces(text) || null),
            from: edit(value),
            onFault: (error) => reopen(explainError(error, texts)),
          })
          return undefined
        }}
      />
    </Fact>
  )
}
