import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { useIsReadOnly } from '../read-only.tsx'
import styles from './facts.module.css'
import { FixedValue } from './fixed-value.tsx'

interface InlineChoiceProps {
  readonly label: string
  readonly display: ComponentChildren | undefined
  /** In place of a value that is missing. */
  readonly addText?: string
  readonly actions: readonly MenuAction[]
  /** True if several can be chosen. */
  readonly isMultiple?: boolean
}

/** A value that is chosen from a menu. */
export function InlineChoice({ label, display, addText, actions, isMultiple = false }: InlineChoiceProps) {
  const { texts } = useConsole()
  if (useIsReadOnly()) return <FixedValue>{display}</FixedValue>
  return (
    <Menu
      label={label}
      trigger={
        <button
          type="button"
          class={classNames(styles.value, styles.choice, display === undefined && styles.missing)}
        >
          {display ?? addText ?? texts.record.addValue(label)}
        </button>
      }
      groups={[{ actions, staysOpen: isMultiple }]}
    />
  )
}
