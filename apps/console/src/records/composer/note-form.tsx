import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useDraft } from '../../create/draft.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TagChip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import type { Kind } from '../kinds.ts'
import { useAttachedFiles } from './attached-files.ts'
import styles from './composer.module.css'
import { useMentionTexts } from './mention-texts.ts'
import { NoteField } from './note-field.tsx'

interface NoteFormProps {
  readonly kind: Kind
  readonly id: string
}

/** Logs an activity. What is written survives a reload; files are added by the button, by drop and by paste. */
export function NoteForm({ kind, id }: NoteFormProps) {
  const { texts } = useConsole()
  const { form, note, setNote, count, attached, submit } = useNote({ kind, id })
  const { isOver, dropHandlers } = useFileDrop((files) => attached.add(files))
  const error = form.errors['content_html'] ?? form.error
  return (
    <form
      class={classNames(isOver && styles.dropTarget)}
      aria-label={texts.record.note}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      {...dropHandlers}
    >
      <NoteField
        key={count}
        id="note"
        html={note}
        change={setNote}
        submit={submit}
        addFiles={attached.add}
        isInvalid={error !== undefined}
        subject={{ kind, id }}
      />
      <NoteError error={error} />
      <AttachedFiles {...attached} />
      <div class={styles.foot}>
        <FileButton addFiles={attached.add} />
        <span class={classNames(text.tiny, text.soft, text.push, text.deskOnly)}>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        <Button small look="main" type="submit" aria-busy={form.isBusy}>
          {form.isBusy ? texts.actions.saving : texts.record.saveNote}
        </Button>
      </div>
    </form>
  )
}

/** What is written about a record, and its logging as an activity. */
function useNote({ kind, id }: NoteFormProps) {
  const { crm, me, texts } = useConsole()
  const form = useCreateForm()
  const attached = useAttachedFiles()
  const [note, setNote, clearNote] = useDraft(`note.${id}`, '')
  // The number of notes that were saved: each has a new field.
  const [count, setCount] = useState(0)
  async function create(): Promise<void> {
    const attachments = await attached.read()
    await crm.activities.create({
      entity: kind,
      entity_id: id,
      owner_user_id: me.id,
      content_html: note,
      ...(attachments.length > 0 && { attachments }),
    })
    clearNote()
    setCount(count + 1)
    attached.clear()
  }
  const { findMentionError } = useMentionTexts()
  const submit = () =>
    form.submit(create, { content_html: note === '' ? texts.errors.required : findMentionError(note) })
  return { form, note, setNote, count, attached, submit }
}

function NoteError({ error }: { readonly error: string | undefined }) {
  if (error === undefined) return null
  return (
    <div class={styles.error}>
      <FieldError>{error}</FieldError>
    </div>
  )
}

function FileButton({ addFiles }: { readonly addFiles: (files: Iterable<File>) => void }) {
  const { texts } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          addFiles(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
      <IconButton small icon="clip" label={texts.record.attach} onClick={() => input.current?.click()} />
    </>
  )
}

function AttachedFiles({ files, remove }: Pick<ReturnType<typeof useAttachedFiles>, 'files' | 'remove'>) {
  const { texts } = useConsole()
  if (files.length === 0) return null
  return (
    <div class={styles.files}>
      {files.map((file) => (
        <TagChip
          key={file.name}
          name={file.name}
          remove={{ label: texts.record.removeFile(file.name), run: () => remove(file) }}
        />
      ))}
    </div>
  )
}
