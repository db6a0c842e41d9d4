import { useConsole } from '../../app/console-context.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import text from '../../ui/text.module.css'
import { useSettingsTexts } from '../texts.ts'
import styles from './save-bar.module.css'

interface SaveBarProps {
  /** What is not saved yet, in words. */
  readonly changes: readonly string[]
  readonly discard: () => void
  readonly save: () => void
  readonly isBusy?: boolean
}

/** What is not saved yet, and the keys that save it. */
export function SaveBar({ changes, discard, save, isBusy = false }: SaveBarProps) {
  const { texts: shared } = useConsole()
  const settings = useSettingsTexts()
  useKeys({
    '$mod+s': (event) => {
      event.preventDefault()
      save()
    },
    '$mod+Enter': save,
  })
  // The bar goes, and with it the button that has the focus.
  const leave = (act: () => void) => {
    document.getElementById('content')?.focus()
    act()
  }
  const words = changes.join(' · ')
  return (
    <section class={styles.saveBar} aria-label={settings.unsaved}>
      <p class={styles.changes} title={words}>
        <b>{settings.changes(changes.length)}</b> <span class={text.soft}>{words}</span>
      </p>
      <div class={styles.saveActions}>
        <Button look="quiet" onClick={() => leave(discard)}>
          {settings.discard}
        </Button>
        <Button look="main" aria-busy={isBusy} onClick={() => isBusy || leave(save)}>
          {shared.actions.save} <kbd>Ctrl S</kbd>
        </Button>
      </div>
    </section>
  )
}
