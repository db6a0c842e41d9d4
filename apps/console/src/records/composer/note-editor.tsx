import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { useConsole } from '../../app/console-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { MentionMenu } from './mention-menu.tsx'
import { useMentionTexts } from './mention-texts.ts'
import styles from './note-editor.module.css'
import { beginMention } from './note-mentions.ts'
import { serializeNote } from './note-serializer.ts'
import {
  addLink,
  createNoteView,
  isActive,
  isInLink,
  NOTE_COMMANDS,
  type NoteCommand,
  removeLink,
} from './note-view.ts'
import type { NoteSubject } from './use-mention-choices.ts'

export interface NoteEditorProps {
  /** The note when the editor opens. */
  readonly html: string
  /** What was typed before the editor was loaded. */
  readonly lines?: string
  /** Called with the HTML after each change; empty without text. */
  readonly change: (html: string) => void
  readonly submit: () => void
  readonly cancel?: () => void
  readonly addFiles?: (files: Iterable<File>) => void
  readonly isInvalid?: boolean
  /** The record that the note is about: who does not see it cannot be mentioned. */
  readonly subject: NoteSubject | undefined
  /** Of the element that takes the focus. */
  readonly id?: string
  /** True to begin at once. */
  readonly hasFocus: boolean
}

/** Writes a note with bold, italic, lists and links. Loaded when a note is begun. */
export function NoteEditor(props: NoteEditorProps) {
  const { html, lines = '', id, hasFocus, isInvalid = false } = props
  const { texts } = useConsole()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  // The view calls what the latest properties say.
  const latest = useRef(props)
  latest.current = props
  const handleKey = useRef((_: KeyboardEvent) => false)
  const [, redraw] = useState(0)

  useLayoutEffect(() => {
    const created = createNoteView(place.current!, {
      begun: lines === '' ? { html } : { lines },
      attributes: {
        class: styles.editor ?? '',
        ...(id !== undefined && { id }),
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': texts.record.note,
        'data-placeholder': texts.record.notePlaceholder,
      },
      onChange: (doc) => latest.current.change(serializeNote(doc)),
      handleKey: (event) => handleKey.current(event),
      onUpdate: () => redraw((count) => count + 1),
      submit: () => latest.current.submit(),
      cancel: latest.current.cancel && (() => latest.current.cancel?.()),
      addFiles: (files) => latest.current.addFiles?.(files),
    })
    view.current = created
    if (hasFocus) created.focus()
    redraw(1)
    return () => created.destroy()
  }, [])

  const isEmpty = view.current?.state.doc.textContent === '' && view.current.state.doc.childCount === 1
  return (
    <div class={classNames(styles.field, isEmpty && styles.isEmpty)}>
      <div ref={place} aria-invalid={isInvalid} />
      {view.current && (
        <>
          <Toolbar view={view.current} />
          <MentionMenu view={view.current} subject={props.subject} handleKey={handleKey} />
        </>
      )}
    </div>
  )
}

const BUTTONS = ['bold', 'italic', 'bulletList', 'orderedList'] as const satisfies readonly NoteCommand[]

/** Formats the selection. */
function Toolbar({ view }: { readonly view: EditorView }) {
  const { texts } = useConsole()
  const mentionTexts = useMentionTexts()
  const [isLinking, setIsLinking] = useState(false)
  const run = (command: NoteCommand) => {
    NOTE_COMMANDS[command](view.state, view.dispatch)
    view.focus()
  }
  const hasLink = isInLink(view.state)
  return (
    // The selection stays where it is while a button is pressed.
    <div class={styles.tools} role="toolbar" aria-label={texts.record.formatting} onMouseDown={keepFocus}>
      {BUTTONS.map((command) => (
        <Button
          key={command}
          small
          look="quiet"
          aria-label={texts.record[command]}
          aria-pressed={isActive(view.state, command)}
          onClick={() => run(command)}
        >
          {SIGNS[command]}
        </Button>
      ))}
      <IconButton
        small
        icon="link"
        label={hasLink ? texts.record.removeLink : texts.record.addLink}
        aria-pressed={hasLink}
        onClick={() => {
          if (!hasLink) return setIsLinking(true)
          removeLink(view)
          view.focus()
        }}
      />
      <IconButton
        small
        icon="at"
        label={`${mentionTexts.mention} (@)`}
        onClick={() => {
          beginMention(view)
          view.focus()
        }}
      />
      {isLinking && (
        <LinkDialog
          add={(href) => addLink(view, href)}
          close={() => {
            setIsLinking(false)
            view.focus()
          }}
        />
      )}
    </div>
  )
}

const SIGNS: Readonly<Record<NoteCommand, preact.ComponentChildren>> = {
  bold: <b>B</b>,
  italic: <i>I</i>,
  bulletList: <Icon name="list" />,
  orderedList: <Icon name="numbers" />,
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
