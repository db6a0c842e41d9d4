import { classNames } from '../../ui/class-names.ts'
import { useWorkspaceTexts } from './texts.ts'
import styles from './workspace-page.module.css'

interface UsageMeterProps {
  readonly label: string
  readonly value: number
  /** `null` if the operator has set no limit. */
  readonly max: number | null
  readonly format: (value: number) => string
}

const NEARLY_FULL = 0.9

/** How much of a limit is used. */
export function UsageMeter({ label, value, max, format }: UsageMeterProps) {
  const texts = useWorkspaceTexts()
  if (max === null) return <p>{texts.unlimited(format(value))}</p>
  const isNearlyFull = value >= max * NEARLY_FULL
  return (
    <>
      <p>{texts.used(format(value), format(max))}</p>
      <meter
        class={classNames(styles.meter, isNearlyFull && styles.full)}
        aria-label={label}
        min={0}
        max={max}
        value={Math.min(value, max)}
      >
        {texts.used(format(value), format(max))}
      </meter>
      {isNearlyFull && <p class={styles.warning}>{texts.nearlyFull}</p>}
    </>
  )
}
