import type { ComponentChildren } from 'preact'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  readonly size: number
  /** How far a running change is. */
  readonly progress: string | undefined
  /** Why nothing can be done with them. */
  readonly reason: string | undefined
  readonly remove: () => void
  readonly clear: () => void
  /** The buttons of the changes. */
  readonly children?: ComponentChildren
}

/** What can be done with the selected records. */
export function SelectionBar({ size, progress, reason, remove, clear, children }: SelectionBarProps) {
  const { texts } = useConsole()
  if (size === 0) return null
  const count = texts.tables.selected(size)
  return (
    <section class={styles.bar} aria-label={count} data-selection>
      <b>{progress ?? count}</b>
      {reason === undefined ? (
        <>
          {children}
          <Button look="risky" icon="trash" onClick={remove}>
            {texts.actions.delete}
          </Button>
        </>
      ) : (
        <p class={styles.reason}>{reason}</p>
      )}
      <Button look="quiet" onClick={clear}>
        {texts.actions.clear} <kbd>Esc</kbd>
      </Button>
    </section>
  )
}
