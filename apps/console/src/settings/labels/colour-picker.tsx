import { Popover } from '@base-ui/react/popover'
import { useState } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import menu from '../../ui/menu.module.css'
import { useSettingsTexts } from '../texts.ts'
import styles from './colour-picker.module.css'
import { COLOURS } from './label.ts'

interface ColourPickerProps {
  readonly label: string
  readonly value: string
  readonly change: (colour: string) => void
}

/** A dot whose panel offers colours, and any other by the browser's own picker. */
export function ColourPicker({ label, value, change }: ColourPickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [draft, setDraft] = useState<string>()
  const choose = (colour: string) => {
    setIsOpen(false)
    setDraft(undefined)
    if (colour !== value) change(colour)
  }
  const shown = draft ?? value
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (open) setIsOpen(true)
        else choose(shown)
      }}
    >
      <Popover.Trigger className={styles.trigger} aria-label={label}>
        <i class={styles.dot} style={{ '--colour': shown }} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={menu.positioner} align="start" sideOffset={4}>
          <Popover.Popup className={styles.panel} aria-label={label}>
            <Swatches shown={shown} choose={choose} change={setDraft} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface SwatchesProps {
  readonly shown: string
  readonly choose: (colour: string) => void
  readonly change: (colour: string) => void
}

function Swatches({ shown, choose, change }: SwatchesProps) {
  const texts = useSettingsTexts().labels
  return (
    <>
      <div class={styles.swatches}>
        {COLOURS.map((colour, index) => (
          <button
            key={colour}
            type="button"
            class={styles.swatch}
            aria-label={texts.colours[index] ?? colour}
            aria-pressed={colour === shown}
            onClick={() => choose(colour)}
          >
            <i class={styles.dot} style={{ '--colour': colour }} aria-hidden="true" />
            {colour === shown && <Icon name="check" small />}
          </button>
        ))}
      </div>
      <label class={styles.other}>
        {texts.otherColour}
        <input type="color" value={shown} onInput={({ currentTarget }) => change(currentTarget.value)} />
      </label>
    </>
  )
}
