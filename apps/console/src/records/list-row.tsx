import { useConsole } from '../app/console-context.ts'
import { useMenu } from '../reference/queries.ts'
import { IconButton } from '../ui/button.tsx'
import { TagChip } from '../ui/chip.tsx'
import text from '../ui/text.module.css'
import type { Kind } from './kinds.ts'
import { useDisabledAttributes, useIsReadOnly } from './read-only.tsx'
import styles from './record-page.module.css'
import type { AnyRecord } from './use-record.ts'
import { useRecordActions } from './use-record-actions.tsx'

/** The lists that the record is on. */
export function ListRow({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { texts } = useConsole()
  const lists = useMenu('lists')
  const { chooseList, removeLabel } = useRecordActions(kind)
  const isReadOnly = useIsReadOnly()
  const disabled = useDisabledAttributes()
  if (record.lists.length === 0 && !lists.data?.length) return null
  return (
    <section class={styles.block}>
      <div class={styles.blockHead}>
        <h2>
          {texts.labels.lists} <span class={text.count}>{record.lists.length || ''}</span>
        </h2>
        <IconButton
          {...disabled}
          small
          icon="plus"
          class={text.push}
          label={texts.record.addList}
          onClick={() => chooseList([record])}
        />
      </div>
      <div class={styles.tags}>
        {record.lists.map((list) => (
          <TagChip
            key={list.id}
            name={list.name}
            remove={
              isReadOnly
                ? undefined
                : { label: texts.record.removeList(list.name), run: () => removeLabel(record, 'lists', list) }
            }
          />
        ))}
      </div>
    </section>
  )
}
