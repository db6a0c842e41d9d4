import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { PAGES } from '../app/pages.tsx'
import { areSingleKeysOn, setSingleKeys } from '../keyboard/use-keys.ts'
import type { Texts } from '../texts/en.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Check } from '../ui/field.tsx'
import styles from './shortcuts-dialog.module.css'

/** All keys. Single keys can be switched off, for speech input (WCAG 2.1.4). */
export function ShortcutsDialog({ close }: { readonly close: () => void }) {
  const { texts } = useConsole()
  const { shortcuts } = texts
  const [isOn, setIsOn] = useState(areSingleKeysOn())
  return (
    <Dialog size="wide" title={shortcuts.title} close={close}>
      <dl class={styles.keys}>
        {listShortcuts(texts).map(([keys, label]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <span class={styles.choice}>
          <Check
            label={shortcuts.singleKeys}
            checked={isOn}
            change={(isChecked) => {
              setSingleKeys(isChecked)
              setIsOn(isChecked)
            }}
          />
          {shortcuts.singleKeys}
        </span>
        <Button autoFocus onClick={close}>
          {texts.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function listShortcuts(texts: Texts): readonly (readonly [keys: string, label: string])[] {
  const { shortcuts, nav } = texts
  const pages = [...PAGES.map(({ title }) => title(texts)), nav.settings]
  const pageKeys = PAGES.map(({ key }) => key.toUpperCase())
  return [
    ['Ctrl K', shortcuts.find],
    ['/', shortcuts.findHere],
    ['C', shortcuts.create],
    [`G, ${pageKeys.join(' ')} S`, shortcuts.go(pages.join(', '))],
    ['B V', shortcuts.views],
    ['J K', shortcuts.next],
    ['← →', shortcuts.stages],
    ['Enter', shortcuts.open],
    ['E', shortcuts.edit],
    ['M', shortcuts.move],
    ['⇧← ⇧→', shortcuts.moveByOne],
    ['W ⇧W', shortcuts.won],
    ['X', shortcuts.select],
    ['⇧J ⇧K', shortcuts.selectOn],
    ['O L', shortcuts.ownerTag],
    ['S', shortcuts.share],
    ['F ⇧F', shortcuts.filter],
    ['T N D', shortcuts.task],
    ['Space', shortcuts.complete],
    ['H', shortcuts.postpone],
    ['Z', shortcuts.undo],
    ['Ctrl Enter', shortcuts.save],
    ['?', shortcuts.sheet],
    ['Esc', shortcuts.close],
  ]
}
