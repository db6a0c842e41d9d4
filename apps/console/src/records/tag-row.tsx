import { useConsole } from '../app/console-context.ts'
import { IconButton } from '../ui/button.tsx'
import { TagChip } from '../ui/chip.tsx'
import type { Kind } from './kinds.ts'
import { useDisabledAttributes, useIsReadOnly } from './read-only.tsx'
import styles from './record-page.module.css'
import type { AnyRecord } from './use-record.ts'
import { useRecordActions } from './use-record-actions.tsx'

interface TagRowProps {
  readonly kind: Kind
  readonly record: AnyRecord
}

export function TagRow({ kind, record }: TagRowProps) {
  const { texts } = useConsole()
  const { chooseTag, removeLabel } = useRecordActions(kind)
  const isReadOnly = useIsReadOnly()
  const disabled = useDisabledAttributes()
  return (
    <div class={styles.tags}>
      {record.tags.map((tag) => (
        <TagChip
          key={tag.id}
          name={tag.name}
          colour={tag.color}
          remove={
            isReadOnly
              ? undefined
              : { label: texts.record.removeTag(tag.name), run: () => removeLabel(record, 'tags', tag) }
          }
        />
      ))}
      <IconButton
        {...disabled}
        small
        icon="plus"
        label={texts.record.addTag}
        onClick={() => chooseTag([record])}
      />
    </div>
  )
}
