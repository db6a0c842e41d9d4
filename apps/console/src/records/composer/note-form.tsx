import { useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useDraft } from '../../create/draft.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button } from '../../ui/button.tsx'
import { TagChip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Fault } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import type { Kind } from '../kinds.ts'
import styles from './composer.module.css'
import { buildNoteHtml } from './note-html.ts'
import { makeBold, makeItalic, NoteToolbar } from './note-toolbar.tsx'
import { useAttachedFiles } from './use-attached-files.ts'
import { continueList, type SelectedText } from './wrap-selection.ts'

interface NoteFormProps {
  readonly kind: Kind
  readonly id: string
}

/** Logs an activity. What is written survives a reload; files are added by the button, by drop and by paste. */
export function NoteForm({ kind, id }: NoteFormProps) {
  const { texts } = useConsole()
  const { form, note, setNote, attached, submit } = useNote({ kind, id })
  const { isOver, dropHandlers } = useFileDrop((files) => attached.add(files))
  const area = useRef<HTMLTextAreaElement>(null)
  const format = (change: (selected: SelectedText) => SelectedText | undefined) =>
    area.current !== null && formatSelection(area.current, setNote, change)

  const fault = form.faults['content_html'] ?? form.fault
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
      <textarea
        ref={area}
        id="note"
        class={styles.note}
        rows={2}
        aria-label={texts.record.note}
        aria-invalid={fault !== undefined}
        placeholder={texts.record.notePlaceholder}
        title={texts.record.formatting}
        value={note}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
        onKeyDown={(event) => handleNoteKey(event, submit, format)}
        onPaste={(event) => attached.add(event.clipboardData?.files ?? [])}
      />
      <NoteFault fault={fault} />
      <AttachedFiles {...attached} />
      <div class={styles.foot}>
        <NoteToolbar format={format} addFiles={attached.add} />
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
  async function create(): Promise<void> {
    const attachments = await attached.read()
    await crm.activities.create({
      entity: kind,
      entity_id: id,
      owner_user_id: me.id,
      content_html: buildNoteHtml(note),
      ...(attachments.length > 0 && { attachments }),
    })
    clearNote()
    attached.clear()
  }
  const submit = () =>
    form.submit(create, { content_html: note.trim() === '' ? texts.faults.required : undefined })
  return { form, note, setNote, attached, submit }
}

function NoteFault({ fault }: { readonly fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <div class={styles.fault}>
      <Fault>{fault}</Fault>
    </div>
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

/** Changes the selected text, and selects it again. Returns false if there is nothing to change. */
function formatSelection(
  area: HTMLTextAreaElement,
  setNote: (note: string) => void,
  change: (selected: SelectedText) => SelectedText | undefined,
): boolean {
  const changed = change({ text: area.value, start: area.selectionStart, end: area.selectionEnd })
  if (!changed) return false
  setNote(changed.text)
  requestAnimationFrame(() => {
    area.focus()
    area.setSelectionRange(changed.start, changed.end)
  })
  return true
}

function handleNoteKey(
  event: KeyboardEvent,
  submit: () => void,
  format: (change: (selected: SelectedText) => SelectedText | undefined) => boolean,
): void {
  const key = event.key.toLowerCase()
  const hasModifier = event.ctrlKey || event.metaKey
  if (key === 'enter' && !hasModifier) {
    if (format(continueList)) event.preventDefault()
    return
  }
  if (!hasModifier) return
  if (key === 'enter') submit()
  else if (key === 'b') format(makeBold)
  else if (key === 'i') format(makeItalic)
  else return
  event.preventDefault()
}
