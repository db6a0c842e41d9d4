import type { Tag } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import type { Kind } from '../records/kinds.ts'
import { useLists } from '../reference/use-lists.ts'
import { useMembers } from '../reference/use-members.ts'
import { useTags } from '../reference/use-tags.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import chip from '../ui/chip.module.css'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import styles from './bulk-bar.module.css'
import { useBulkChange } from './use-bulk-change.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps<Row> {
  readonly kind: Kind
  readonly selection: Selection<Row>
}

/** Changes the selected records: owner, tag, list, or their deletion. */
export function BulkBar<Row extends { readonly id: string }>({ kind, selection }: BulkBarProps<Row>) {
  const { texts } = useConsole()
  const members = useMembers()
  const tags = useTags()
  const lists = useLists()
  const bulk = useBulkChange(kind, selection)
  const [isDeleting, setIsDeleting] = useState(false)
  if (selection.size === 0) return null
  const count = texts.tables.selected(selection.size)
  return (
    <section class={styles.bulk} aria-label={count}>
      <b>{bulk.progress ?? count}</b>
      <Menu
        trigger={<Button icon="person">{texts.labels.owner}</Button>}
        groups={[
          {
            actions: (members.data ?? []).map((member) => ({
              label: member.name,
              mark: <Avatar of={member} />,
              select: () => bulk.setOwner(member.id),
            })),
          },
        ]}
      />
      <Menu
        trigger={<Button icon="tag">{texts.labels.tags}</Button>}
        groups={[
          {
            actions: (tags.data ?? []).map((tag: Tag) => ({
              label: tag.name,
              mark: <i class={chip.dot} style={{ '--colour': tag.color }} aria-hidden="true" />,
              select: () => bulk.addTag(tag.id),
            })),
          },
        ]}
      />
      <Menu
        trigger={<Button icon="list">{texts.labels.lists}</Button>}
        groups={[
          {
            actions: (lists.data ?? []).map(({ id, name }) => ({
              label: name,
              select: () => bulk.addList(id),
            })),
          },
        ]}
      />
      <Button look="risky" icon="trash" onClick={() => setIsDeleting(true)}>
        {texts.actions.delete}
      </Button>
      <Button look="quiet" onClick={selection.clear}>
        {texts.actions.clear} <kbd>Esc</kbd>
      </Button>
      {isDeleting && (
        <Dialog
          role="alertdialog"
          title={texts.tables.deleteTitle(selection.size)}
          close={() => setIsDeleting(false)}
        >
          <p class={text.soft}>{texts.record.deleteText}</p>
          <DialogActions>
            <Button autoFocus onClick={() => setIsDeleting(false)}>
              {texts.actions.keepAll}
            </Button>
            <Button
              look="risky"
              onClick={() => {
                setIsDeleting(false)
                bulk.deleteAll()
              }}
            >
              {texts.actions.deleteNow}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}
