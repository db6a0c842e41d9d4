import { lazy } from 'preact/compat'
import { useConsole } from '../app/console-context.ts'
import { listSharedFields } from '../fields/shared-fields.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { FieldDialog, ListDialog, OwnerDialog, TagDialog } from '../records/lazy-dialogs.ts'
import { toChanges } from '../records/shared-values.ts'
import { useShell } from '../shell/shell-context.ts'
import { SelectionBar } from '../table/selection-bar.tsx'
import { Button } from '../ui/button.tsx'
import { useBulkChange } from './use-bulk-change.ts'

const BulkDeletionDialog = lazy(async () => ({
  default: (await import('./bulk-deletion-dialog.tsx')).BulkDeletionDialog,
}))

interface MatchingBarProps {
  readonly kind: CreatableKind
  /** Of the list. */
  readonly query: object
  readonly total: number
  readonly clear: () => void
}

/** What can be done with all records that match. */
export function MatchingBar({ kind, query, total, clear }: MatchingBarProps) {
  const { texts } = useConsole()
  const { show } = useShell()
  const { start } = useBulkChange()
  const subject = texts.tables.selected(total)
  const change = (fields: object) => {
    start(kind, query, fields)
    clear()
  }
  const chooseOwner = () =>
    show((close) => (
      <OwnerDialog
        {...{ subject, kind, close, records: [], currentId: undefined }}
        choose={(owner) => change({ owner_user_id: owner?.id ?? null })}
      />
    ))
  const chooseTag = () =>
    show((close) => <TagDialog {...{ subject, close }} choose={({ id }) => change({ add_tags: [id] })} />)
  const chooseList = () =>
    show((close) => <ListDialog {...{ subject, close }} choose={({ id }) => change({ add_lists: [id] })} />)
  const chooseField = () =>
    show((close) => <FieldDialog {...{ subject, kind, close }} save={(value) => change(toChanges(value))} />)
  const hasLabels = kind === 'people' || kind === 'companies' || kind === 'deals'
  useKeys({
    ...(kind === 'products' ? {} : { o: chooseOwner }),
    ...(hasLabels ? { l: chooseTag } : {}),
    Escape: clear,
  })
  return (
    <SelectionBar
      size={total}
      progress={undefined}
      reason={undefined}
      remove={() =>
        show((close) => <BulkDeletionDialog {...{ total, close }} confirm={() => change({ delete: true })} />)
      }
      clear={clear}
    >
      {kind !== 'products' && (
        <Button icon="person" onClick={chooseOwner}>
          {texts.labels.owner} <kbd>O</kbd>
        </Button>
      )}
      {hasLabels && (
        <>
          <Button icon="tag" onClick={chooseTag}>
            {texts.labels.tags} <kbd>L</kbd>
          </Button>
          <Button icon="list" onClick={chooseList}>
            {texts.labels.lists}
          </Button>
        </>
      )}
      {listSharedFields(kind).length > 0 && (
        <Button icon="edit" onClick={chooseField}>
          {texts.tables.field}
        </Button>
      )}
      {kind === 'tasks' && (
        <Button icon="check" onClick={() => change({ completed: true })}>
          {texts.tasks.complete}
        </Button>
      )}
      {kind === 'products' && (
        <>
          <Button icon="check" onClick={() => change({ is_active: true })}>
            {texts.products.active}
          </Button>
          <Button icon="x" onClick={() => change({ is_active: false })}>
            {texts.products.inactive}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}
