import type { ActivityListItem } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { useMentionTexts } from '../composer/mention-texts.ts'
import { NoteField } from '../composer/note-field.tsx'
import { losesFormatting } from '../composer/note-html.ts'
import { ActivityBody } from './activity-body.tsx'
import { useNoteChanges } from './note-changes.ts'
import styles from './timeline.module.css'

interface NoteProps {
  readonly note: ActivityListItem
  readonly isEditing: boolean
  readonly close: () => void
}

/** A note, as it was written or while it is edited. */
export function Note({ note, isEditing, close }: NoteProps) {
  return isEditing ? <NoteEditing note={note} close={close} /> : <ActivityBody activity={note} />
}

function NoteEditing({ note, close }: Pick<NoteProps, 'note' | 'close'>) {
  const { texts } = useConsole()
  const { save } = useNoteChanges(note)
  const [html, setHtml] = useState(note.content_html)
  const [error, setError] = useState<string>()
  const { findMentionError } = useMentionTexts()
  const { entity, entity_id } = note
  const subject = entity === null || entity_id === null ? undefined : { kind: entity, id: entity_id }
  const submit = () => {
    const found = html === '' ? texts.errors.required : findMentionError(html)
    if (found !== undefined) return setError(found)
    if (html !== note.content_html) save(html)
    close()
  }
  return (
    <form
      class={styles.editing}
      aria-label={texts.record.editNote}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <NoteField
        isOpen
        html={html}
        change={(changed) => {
          setHtml(changed)
          setError(undefined)
        }}
        submit={submit}
        cancel={close}
        isInvalid={error !== undefined}
        subject={subject}
      />
      {error !== undefined && (
        <div class={styles.hint}>
          <FieldError>{error}</FieldError>
        </div>
      )}
      {losesFormatting(note.content_html) && <p class={styles.hint}>{texts.record.losesFormatting}</p>}
      <div class={styles.editingFoot}>
        <Button small onClick={close}>
          {texts.actions.cancel}
        </Button>
        <Button small look="main" type="submit">
          {texts.actions.save}
        </Button>
      </div>
    </form>
  )
}

/** Edits and deletes a note. */
export function NoteMenu({ note, edit }: { readonly note: ActivityListItem; readonly edit: () => void }) {
  const { texts } = useConsole()
  const { remove } = useNoteChanges(note)
  return (
    <LazyMenu
      align="end"
      trigger={<IconButton small icon="dots" label={texts.record.moreNote} />}
      groups={() => [
        {
          actions: [
            { label: texts.record.editNote, icon: 'edit', select: edit },
            { label: texts.record.deleteNote, icon: 'trash', isRisky: true, select: remove },
          ],
        },
      ]}
    />
  )
}
