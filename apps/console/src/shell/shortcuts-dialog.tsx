import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
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
        {listShortcuts(shortcuts).map(([keys, label]) => (
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

function listShortcuts(shortcuts: Texts['shortcuts']): readonly (readonly [keys: string, label: string])[] {
  return [
    ['Ctrl K', shortcuts.find],
    ['/', shortcuts.findHere],
    ['C', shortcuts.create],
    ['G, M D P O T I R S', shortcuts.go],
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
