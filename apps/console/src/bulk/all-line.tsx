import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import styles from './all-line.module.css'

interface AllLineProps {
  /** Number of selected rows, of those that are loaded. */
  readonly loaded: number
  readonly total: number
  /** True if all that match are selected. */
  readonly isAll: boolean
  readonly change: (isAll: boolean) => void
}

/** Extends a selection of all loaded rows to all that match, and back. */
export function AllLine({ loaded, total, isAll, change }: AllLineProps) {
  const { texts } = useConsole()
  const { bulk } = texts
  return (
    <div class={styles.line} role="status">
      <b>{isAll ? bulk.allSelected(total) : bulk.loadedSelected(loaded)}</b>
      <Button small look="quiet" onClick={() => change(!isAll)}>
        {isAll ? bulk.onlyLoaded(loaded) : bulk.selectAll(total)}
        {!isAll && (
          <>
            {' '}
            <kbd>Ctrl A</kbd>
          </>
        )}
      </Button>
      {isAll && <span class={styles.hint}>{bulk.laterOnes}</span>}
    </div>
  )
}
