import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { type CreateDefaults, placeOf } from '../../create/create-defaults.ts'
import { useDraftDiscard } from '../../create/draft.ts'
import { TaskForm } from '../../create/task-form.tsx'
import { Icon } from '../../ui/icon.tsx'
import tabs from '../../ui/tabs.module.css'
import type { Kind } from '../kinds.ts'
import type { AnyRecord } from '../use-record.ts'
import styles from './composer.module.css'
import { NoteForm } from './note-form.tsx'

interface ComposerProps {
  readonly kind: Kind
  readonly record: AnyRecord
  readonly defaults: CreateDefaults
}

/** Writes a note on a record, or plans a task. */
export function Composer({ kind, record, defaults }: ComposerProps) {
  const { texts } = useConsole()
  const [tab, setTab] = useState<'note' | 'task'>('note')
  const discardTask = useDraftDiscard(placeOf('tasks', defaults))
  function cancelTask(): void {
    setTab('note')
    discardTask(() => setTab('task'))
  }
  return (
    <section class={styles.composer} aria-label={texts.record.write}>
      <div class={`${tabs.tabs} ${styles.tabs}`} role="tablist">
        <button type="button" role="tab" aria-selected={tab === 'note'} onClick={() => setTab('note')}>
          <Icon name="note" />
          {texts.record.note}
        </button>
        <button type="button" role="tab" aria-selected={tab === 'task'} onClick={() => setTab('task')}>
          <Icon name="tasks" />
          {texts.labels.task}
        </button>
      </div>
      {tab === 'note' ? (
        <NoteForm kind={kind} id={record.id} />
      ) : (
        <div class={styles.task}>
          <TaskForm defaults={defaults} close={() => setTab('note')} cancel={cancelTask} />
        </div>
      )}
    </section>
  )
}
