import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { KeyHint } from '../shell/page-parts.tsx'
import type { RecordAtHand } from '../shell/shell-context.ts'
import chip from '../ui/chip.module.css'
import { CommandDialog } from '../ui/command-dialog.tsx'
import text from '../ui/text.module.css'
import { usePaletteCommands } from './use-palette-commands.ts'

interface PaletteProps {
  readonly atHand: RecordAtHand | undefined
  readonly close: () => void
}

/** Jumps to any record or page, creates anything, and acts on the record at hand. */
export function Palette({ atHand, close }: PaletteProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  return (
    <CommandDialog
      title={texts.palette.title}
      placeholder={texts.palette.hint}
      noneText={texts.palette.nothing}
      closeLabel={texts.actions.close}
      typed={typed}
      type={setTyped}
      {...usePaletteCommands(typed, atHand)}
      subject={
        atHand && (
          <span class={chip.tag}>
            <span class={text.cut}>{atHand.name}</span>
          </span>
        )
      }
      footer={
        <>
          <KeyHint keys={['↑', '↓']} label={texts.palette.choose} />
          <KeyHint keys={['Enter']} label={texts.actions.open} />
          <KeyHint keys={['Ctrl', 'Enter']} label={texts.palette.newTab} />
          <KeyHint keys={['>']} label={texts.palette.onlyActions} />
        </>
      }
      close={close}
    />
  )
}
