import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import styles from './composer.module.css'
import type { NoteEditor, NoteEditorProps } from './note-editor.tsx'
import { buildNoteHtml } from './note-html.ts'

interface NoteFieldProps extends Omit<NoteEditorProps, 'hasFocus' | 'lines'> {
  /** True to load the editor at once, and to begin in it. */
  readonly isOpen?: boolean
}

let loadedEditor: typeof NoteEditor | undefined

/**
 * A field for a note: a text area until it is first used, and then the editor. If that cannot be loaded, the text area
 * stays, and what is written in it is plain text.
 */
export function NoteField({ isOpen = false, ...props }: NoteFieldProps) {
  const { texts } = useConsole()
  const [Editor, setEditor] = useState<typeof NoteEditor | undefined>(() => loadedEditor)
  const [plainText, setPlainText] = useState('')
  const [isBegun, setIsBegun] = useState(false)
  const { id, html, change, submit, addFiles, isInvalid = false } = props

  function load(): void {
    if (Editor) return
    import('./note-editor.tsx').then(
      (module) => {
        loadedEditor = module.NoteEditor
        setEditor(() => module.NoteEditor)
      },
      () => {},
    )
  }
  useEffect(() => {
    if (isOpen || html !== '') load()
  }, [])

  if (Editor) return <Editor {...props} lines={plainText} hasFocus={isOpen || isBegun} />
  return (
    <textarea
      id={id}
      class={styles.note}
      rows={2}
      aria-label={texts.record.note}
      aria-invalid={isInvalid}
      placeholder={texts.record.notePlaceholder}
      value={plainText}
      onFocus={() => {
        setIsBegun(true)
        load()
      }}
      onInput={({ currentTarget: { value } }) => {
        setPlainText(value)
        change(buildNoteHtml(value))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
      }}
      onPaste={(event) => addFiles?.(event.clipboardData?.files ?? [])}
    />
  )
}
