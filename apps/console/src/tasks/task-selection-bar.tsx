import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { useRecordsChange } from '../records/use-records-change.ts'
import { SelectionBar } from '../table/selection-bar.tsx'
import type { Selection } from '../table/use-selection.ts'
import { Button } from '../ui/button.tsx'

/** Completes the selected tasks, or deletes them. */
export function TaskSelectionBar({ selection }: { readonly selection: Selection<TaskListItem> }) {
  const console = useConsole()
  const { texts } = console
  const { progress, setFields, remove } = useRecordsChange('tasks', selection)
  const { rows } = selection
  return (
    <SelectionBar
      size={selection.size}
      progress={progress}
      reason={explainReadOnly(console, 'tasks', rows)}
      remove={() => remove(rows)}
      clear={selection.clear}
    >
      <Button icon="check" onClick={() => setFields(rows, { completed: true })}>
        {texts.tasks.complete}
      </Button>
    </SelectionBar>
  )
}
