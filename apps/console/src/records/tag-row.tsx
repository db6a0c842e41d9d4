import { useConsole } from '../app/console-context.ts'
import { IconButton } from '../ui/button.tsx'
import { TagChip } from '../ui/chip.tsx'
import type { Kind } from './kinds.ts'
import styles from './record-page.module.css'
import type { AnyRecord } from './use-record.ts'
import { useRecordActions } from './use-record-actions.tsx'
import { useRecordUpdate } from './use-record-update.ts'

interface TagRowProps {
  readonly kind: Kind
  readonly record: AnyRecord
}

export function TagRow({ kind, record }: TagRowProps) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const { chooseTag } = useRecordActions(kind)
  const edit = (next: AnyRecord['tags']) => ({
    changes: { tags: next.map(({ id }) => id) },
    shown: { tags: next },
  })
  const save = (next: AnyRecord['tags']) =>
    update({ kind, id: record.id, label: texts.deals.filters.tag, to: edit(next), from: edit(record.tags) })
  return (
    <div class={styles.tags}>
      {record.tags.map((tag) => (
        <TagChip
          key={tag.id}
          name={tag.name}
          colour={tag.color}
          remove={{
            label: texts.record.removeTag(tag.name),
            run: () => save(record.tags.filter(({ id }) => id !== tag.id)),
          }}
        />
      ))}
      <IconButton small icon="plus" label={texts.record.addTag} onClick={() => chooseTag([record])} />
    </div>
  )
}
