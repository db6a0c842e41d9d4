import { useConsole } from '../app/console-context.ts'
import { useLists } from '../reference/use-lists.ts'
import { IconButton } from '../ui/button.tsx'
import { TagChip } from '../ui/chip.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import type { Kind } from './kinds.ts'
import styles from './record-page.module.css'
import type { AnyRecord } from './use-record.ts'
import { useRecordUpdate } from './use-record-update.ts'

/** The lists that the record is on. */
export function ListRow({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const lists = useLists()
  const edit = (next: AnyRecord['lists']) => ({
    changes: { lists: next.map(({ id }) => id) },
    shown: { lists: next },
  })
  const save = (next: AnyRecord['lists']) =>
    update({ kind, id: record.id, label: texts.labels.lists, to: edit(next), from: edit(record.lists) })
  const others = (lists.data ?? []).filter(({ id }) => !record.lists.some((list) => list.id === id))
  if (record.lists.length === 0 && others.length === 0) return null
  return (
    <section class={styles.block}>
      <div class={styles.blockHead}>
        <h2>
          {texts.labels.lists} <span class={text.count}>{record.lists.length || ''}</span>
        </h2>
        {others.length > 0 && (
          <span class={text.push}>
            <Menu
              align="end"
              label={texts.record.addList}
              trigger={<IconButton small icon="plus" label={texts.record.addList} />}
              groups={[
                {
                  actions: others.map((list) => ({
                    label: list.name,
                    select: () => save([...record.lists, list]),
                  })),
                },
              ]}
            />
          </span>
        )}
      </div>
      <div class={styles.tags}>
        {record.lists.map((list) => (
          <TagChip
            key={list.id}
            name={list.name}
            remove={{
              label: texts.record.removeList(list.name),
              run: () => save(record.lists.filter(({ id }) => id !== list.id)),
            }}
          />
        ))}
      </div>
    </section>
  )
}
