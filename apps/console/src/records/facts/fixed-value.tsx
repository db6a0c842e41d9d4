import type { ComponentChildren } from 'preact'
import { classNames } from '../../ui/class-names.ts'
import styles from './facts.module.css'

interface FixedValueProps {
  readonly isCell?: boolean
  /** Undefined for a field without a value. */
  readonly children: ComponentChildren | undefined
}

/** The value of a field that the member may not change. */
export function FixedValue({ isCell = false, children }: FixedValueProps) {
  return (
    <span
      class={classNames(
        styles.value,
        styles.fixed,
        isCell && styles.cell,
        children === undefined && styles.missing,
      )}
    >
      {children ?? '—'}
    </span>
  )
}
