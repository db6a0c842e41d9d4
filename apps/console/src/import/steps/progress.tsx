import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { announce } from '../../ui/live-region.tsx'
import text from '../../ui/text.module.css'
import styles from './steps.module.css'

interface ProgressProps {
  readonly label: string
  readonly done: number
  /** Null if it is not known yet. */
  readonly total: number | null
  /** Stands at the end of the line below. */
  readonly children?: ComponentChildren
}

const TENTHS = 10

/** How far something is. Screen readers are told each tenth. */
export function Progress({ label, done, total, children }: ProgressProps) {
  const { formatNumber } = useConsole()
  const part = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const tenth = Math.floor(part * TENTHS)
  const told = useRef(tenth)
  useEffect(() => {
    if (tenth > told.current) announce(`${label}: ${formatNumber(tenth * TENTHS)} %`)
    told.current = tenth
  }, [tenth])
  return (
    <div>
      <progress
        class={styles.progress}
        aria-label={label}
        {...(total !== null && { max: total, value: done })}
      >
        {formatNumber(done)}
      </progress>
      <p class={styles.progressText}>
        <b>{total !== null && `${formatNumber(Math.floor(part * 100))} %`}</b>
        <span class={text.soft}>{children}</span>
      </p>
    </div>
  )
}
