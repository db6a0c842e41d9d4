import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import type { Kind } from '../kinds.ts'
import { useIsReadOnly } from '../read-only.tsx'
import { type PickedRecord, RecordPicker } from '../record-picker.tsx'
import styles from './facts.module.css'
import { FixedValue } from './fixed-value.tsx'

interface InlineRecordProps {
  readonly label: string
  readonly kind: Kind
  readonly record: { readonly id: string; readonly full_name: string } | null
  readonly choose: (record: PickedRecord | null) => void
}

/** A linked record, which can be followed and replaced. */
export function InlineRecord({ label, kind, record, choose }: InlineRecordProps) {
  const { texts } = useConsole()
  const [isEditing, setIsEditing] = useState(false)
  const isReadOnly = useIsReadOnly()
  if (isEditing)
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: Esc leaves the field inside.
      <div onKeyDown={({ key }) => key === 'Escape' && setIsEditing(false)}>
        <RecordPicker
          small
          autoFocus
          ids={{ 'aria-label': label }}
          kinds={[kind]}
          creates={[kind]}
          picked={record && { kind, id: record.id, name: record.full_name }}
          pick={(picked) => {
            setIsEditing(false)
            choose(picked)
          }}
        />
      </div>
    )
  if (!record && isReadOnly) return <FixedValue>{undefined}</FixedValue>
  if (!record)
    return (
      <button
        type="button"
        class={classNames(styles.value, styles.missing)}
        onClick={() => setIsEditing(true)}
      >
        {texts.record.addValue(label)}
      </button>
    )
  return (
    <span class={styles.follow}>
      <Link class={classNames(styles.value, text.cut)} href={`/${kind}/${record.id}`}>
        {record.full_name}
      </Link>
      {!isReadOnly && (
        <IconButton
          small
          icon="edit"
          label={`${texts.actions.edit} ${label}`}
          onClick={() => setIsEditing(true)}
        />
      )}
    </span>
  )
}
