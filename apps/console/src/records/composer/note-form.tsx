import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useDraft } from '../../create/draft.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TagChip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Fault } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import { showFault } from '../../ui/toasts.tsx'
import type { Kind } from '../kinds.ts'
import { MAX_FILE_BYTES, MAX_FILES, readAttachment } from './attached-files.ts'
import styles from './composer.module.css'
import { buildNoteHtml } from './note-html.ts'
import { listSelection, type SelectedText, wrapSelection } from './wrap-selection.ts'

interface NoteFormProps {
  readonly kind: Kind
  readonly id: string
}

/** Logs an activity. What is written survives a reload; files are added by the button, by drop and by paste. */
export function NoteForm({ kind, id }: NoteFormProps) {
  const { crm, texts } = useConsole()
  const form = useCreateForm()
  const [note, setNote, clearNote] = useDraft(`note.${id}`, '')
  const [files, setFiles] = useState<readonly File[]>([])
  const [isOver, setIsOver] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)

  async function create(): Promise<void> {
    const attachments = await Promise.all(files.map(readAttachment))
    await crm.activities.create({
      entity: kind,
      entity_id: id,
      content_html: buildNoteHtml(note),
      ...(attachments.length > 0 && { attachments }),
    })
    clearNote()
    setFiles([])
  }
  const submit = () =>
    form.submit(create, { content_html: note.trim() === '' ? texts.faults.required : undefined })

  function addFiles(added: readonly File[]): void {
    const large = added.find(({ size }) => size > MAX_FILE_BYTES)
    if (large) showFault(texts.record.tooLarge(large.name))
    else if (files.length + added.length > MAX_FILES) showFault(texts.record.tooMany)
    else setFiles([...files, ...added])
  }
  function format(change: (selected: SelectedText) => SelectedText): void {
    const { current } = area
    if (!current) return
    const { selectionStart, selectionEnd } = current
    const changed = change({ text: note, start: selectionStart, end: selectionEnd })
    setNote(changed.text)
    requestAnimationFrame(() => {
      current.focus()
      current.setSelectionRange(changed.start, changed.end)
    })
  }
  function handleKey(event: KeyboardEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    const key = event.key.toLowerCase()
    if (key === 'enter') submit()
    else if (key === 'b') format((selected) => wrapSelection(selected, '**'))
    else if (key === 'i') format((selected) => wrapSelection(selected, '_'))
    else return
    event.preventDefault()
  }

  const fault = form.faults['content_html'] ?? form.fault
  return (
    <form
      class={classNames(isOver && styles.dropTarget)}
      aria-label={texts.record.note}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        addFiles([...(event.dataTransfer?.files ?? [])])
      }}
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
        onKeyDown={handleKey}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])]
          if (pasted.length > 0) addFiles(pasted)
        }}
      />
      {fault && (
        <div class={styles.fault}>
          <Fault>{fault}</Fault>
        </div>
      )}
      {files.length > 0 && (
        <div class={styles.files}>
          {files.map((file) => (
            <TagChip
              key={file.name}
              name={file.name}
              remove={{
                label: texts.record.removeFile(file.name),
                run: () => setFiles(files.filter((each) => each !== file)),
              }}
            />
          ))}
        </div>
      )}
      <div class={styles.foot}>
        <input
          ref={input}
          hidden
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            addFiles([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        <IconButton small icon="clip" label={texts.record.attach} onClick={() => input.current?.click()} />
        <Button
          small
          look="quiet"
          aria-label={texts.record.bold}
          onClick={() => format((s) => wrapSelection(s, '**'))}
        >
          <b>B</b>
        </Button>
        <Button
          small
          look="quiet"
          aria-label={texts.record.italic}
          onClick={() => format((s) => wrapSelection(s, '_'))}
        >
          <i>I</i>
        </Button>
        <IconButton small icon="list" label={texts.record.bulletList} onClick={() => format(listSelection)} />
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
