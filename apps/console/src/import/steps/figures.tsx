import { useConsole } from '../../app/console-context.ts'
import styles from '../import.module.css'

interface Figure {
  readonly count: number
  readonly label: string
}

/** Counts with what they count. Those that are 0 are left out, except the first. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  const { formatNumber } = useConsole()
  return (
    <ul class={styles.figures}>
      {figures
        .filter(({ count }, index) => count > 0 || index === 0)
        .map(({ count, label }) => (
          <li key={label}>
            <b>{formatNumber(count)}</b> {label}
          </li>
        ))}
    </ul>
  )
}
