import { useConsole } from '../app/console-context.ts'
import { useTags } from '../reference/use-tags.ts'
import { IconButton } from '../ui/button.tsx'
import chip from '../ui/chip.module.css'
import { TagChip } from '../ui/chip.tsx'
import { Menu } from '../ui/menu.tsx'
import type { Kind } from './kinds.ts'
import styles from './record-page.module.css'
import type { AnyRecord } from './use-record.ts'
import { useRecordUpdate } from './use-record-update.ts'

interface TagRowProps {
  readonly kind: Kind
  readonly record: AnyRecord
}

export function TagRow({ kind, record }: TagRowProps) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const tags = useTags()
  const edit = (next: AnyRecord['tags']) => ({
    changes: { tags: next.map(({ id }) => id) },
    shown: { tags: next },
  })
  const save = (next: AnyRecord['tags']) =>
    update({ kind, id: record.id, label: texts.labels.tags, to: edit(next), from: edit(record.tags) })
  const others = (tags.data ?? []).filter(({ id }) => !record.tags.some((tag) => tag.id === id))
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
      {others.length > 0 && (
        <Menu
          align="end"
          label={texts.record.addTag}
          trigger={<IconButton small icon="plus" label={texts.record.addTag} />}
          groups={[
            {
              title: texts.record.addTag,
              actions: others.map((tag) => ({
                label: tag.name,
                mark: <i class={chip.dot} style={{ '--colour': tag.color }} aria-hidden="true" />,
                select: () => save([...record.tags, tag]),
              })),
            },
          ]}
        />
      )}
    </div>
  )
}
