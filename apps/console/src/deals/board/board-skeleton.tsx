import skeleton from '../../ui/skeleton.module.css'
import { useDelayed } from '../../ui/use-delayed.ts'
import styles from './board.module.css'

const COLUMNS = [3, 4, 2, 2]
const DELAY_MS = 200

export function BoardSkeleton() {
  const isShown = useDelayed(DELAY_MS)
  return (
    <div class={styles.board} aria-hidden="true">
      {isShown &&
        COLUMNS.map((cards, column) => (
          <div class={styles.column} key={column}>
            <div class={styles.columnHead}>
              <div class={skeleton.line} />
            </div>
            <div class={styles.cards}>
              {Array.from({ length: cards }, (_, index) => (
                <div class={styles.card} key={index}>
                  <div class={skeleton.line} />
                  <div class={skeleton.short} />
                </div>
              ))}
            </div>
          </div>
        ))}
    </div>
  )
}
