import { useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { listSelection, type SelectedText, wrapSelection } from './wrap-selection.ts'

interface NoteToolbarProps {
  readonly format: (change: (selected: SelectedText) => SelectedText) => unknown
  readonly addFiles: (files: Iterable<File>) => void
}

/** Adds files, and formats the selected text. */
export function NoteToolbar({ format, addFiles }: NoteToolbarProps) {
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
      <Button small look="quiet" aria-label={texts.record.bold} onClick={() => format(makeBold)}>
        <b>B</b>
      </Button>
      <Button small look="quiet" aria-label={texts.record.italic} onClick={() => format(makeItalic)}>
        <i>I</i>
      </Button>
      <IconButton small icon="list" label={texts.record.bulletList} onClick={() => format(listSelection)} />
    </>
  )
}

export const makeBold = (selected: SelectedText) => wrapSelection(selected, '**')
export const makeItalic = (selected: SelectedText) => wrapSelection(selected, '_')
