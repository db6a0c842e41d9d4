import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { InlineText, type ValueLink } from '../records/facts/inline-text.tsx'
import type { CreatableKind } from '../records/kinds.ts'
import { type FieldEdit, useRecordUpdate } from '../records/use-record-update.ts'

interface EditableCellProps {
  readonly kind: CreatableKind
  readonly id: string
  readonly label: string
  /** What is shown; undefined if there is nothing. */
  readonly display: string | undefined
  readonly links?: readonly ValueLink[]
  /** What is edited. */
  readonly text: string
  readonly type?: 'text' | 'date'
  readonly inputMode?: 'decimal'
  /** The edit that makes the field what was typed; a fault that is found before anything is sent. */
  readonly edit: (text: string) => FieldEdit | string
}

/** A field of a row that is edited where it stands. */
export function EditableCell(props: EditableCellProps) {
  const { kind, id, label, display, links, text, type, inputMode, edit } = props
  const { texts } = useConsole()
  const update = useRecordUpdate()
  return (
    <InlineText
      isCell
      label={label}
      display={display}
      links={links}
      text={text}
      type={type}
      inputMode={inputMode}
      save={(typed, reopen) => {
        const [to, from] = [edit(typed), edit(text)]
        if (typeof to === 'string') return to
        if (typeof from === 'string') return undefined
        update({ kind, id, label, to, from, onFault: (error) => reopen(explainError(error, texts)) })
        return undefined
      }}
    />
  )
}
