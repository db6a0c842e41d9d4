import type { ComponentChildren } from 'preact'
import { useKeys } from '../../keyboard/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import text from '../../ui/text.module.css'
import styles from './steps.module.css'

interface StepFootProps {
  readonly back?: { readonly label: string; readonly run: () => void } | undefined
  readonly children?: ComponentChildren
  readonly next?: { readonly label: string; readonly isReady: boolean; readonly run: () => void } | undefined
}

/** The way to the step before and to the next one, which Ctrl and Enter takes too. */
export function StepFoot({ back, children, next }: StepFootProps) {
  useKeys({
    '$mod+Enter': ({ target }) => {
      const isInDialog = target instanceof Element && target.closest('[role=dialog]') !== null
      if (!next?.isReady || isInDialog) return
      // What is typed in a field counts.
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
      next.run()
    },
  })
  return (
    <footer class={styles.foot}>
      {back && (
        <Button icon="left" onClick={back.run}>
          {back.label}
        </Button>
      )}
      <p class={styles.footText}>{children}</p>
      {next && (
        <Button
          look="main"
          class={text.push}
          aria-disabled={!next.isReady}
          aria-keyshortcuts="Control+Enter"
          onClick={() => next.isReady && next.run()}
        >
          {next.label} <kbd>Ctrl Enter</kbd>
        </Button>
      )}
    </footer>
  )
}
