import { useConsole } from '../../app/console-context.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import text from '../../ui/text.module.css'
import styles from './pipeline-page.module.css'
import { usePipelineTexts } from './texts.ts'
import type { PipelineEditing } from './use-pipeline-draft.ts'

/** What is not saved yet, and the keys that save it. */
export function SaveBar({ editing }: { readonly editing: PipelineEditing }) {
  const { texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const { changes, discard, save } = editing
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
  const words = changes.map((change) => texts.describe(change)).join(' · ')
  return (
    <section class={styles.saveBar} aria-label={texts.unsaved}>
      <p class={styles.changes} title={words}>
        <b>{texts.changes(changes.length)}</b> <span class={text.soft}>{words}</span>
      </p>
      <div class={styles.saveActions}>
        <Button look="quiet" onClick={() => leave(discard)}>
          {texts.discard}
        </Button>
        <Button look="main" onClick={() => leave(save)}>
          {shared.actions.save} <kbd>Ctrl S</kbd>
        </Button>
      </div>
    </section>
  )
}
