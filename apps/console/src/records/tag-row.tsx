import { useConsole } from '../app/console-context.ts'
import { IconButton } from '../ui/button.tsx'
import { TagChip } from '../ui/chip.tsx'
import type { Kind } from './kinds.ts'
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
  return (
    <div class={styles.tags}>
      {record.tags.map((tag) => (
        <TagChip
          key={tag.id}
          name={tag.name}
          colour={tag.color}
          remove={{
            label: texts.record.removeTag(tag.name),
            run: () => removeLabel(record, 'tags', tag),
          }}
        />
      ))}
      <IconButton small icon="plus" label={texts.record.addTag} onClick={() => chooseTag([record])} />
    </div>
  )
}
