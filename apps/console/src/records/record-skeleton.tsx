import skeleton from '../ui/skeleton.module.css'
import { useDelayed } from '../ui/use-delayed.ts'
import styles from './record-page.module.css'

const ROWS = [1, 2, 3, 4, 5, 6]
const DELAY_MS = 200

export function RecordSkeleton() {
  const isShown = useDelayed(DELAY_MS)
  if (!isShown) return null
  return (
    <div class={styles.record} aria-hidden="true">
      {[0, 1, 2].map((column) => (
        <div key={column}>
          {ROWS.map((row) => (
            <div key={row} class={row % 2 ? skeleton.line : skeleton.short} />
          ))}
        </div>
      ))}
    </div>
  )
}
