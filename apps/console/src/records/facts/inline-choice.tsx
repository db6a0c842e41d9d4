import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import styles from './facts.module.css'

interface InlineChoiceProps {
  readonly label: string
  readonly display: ComponentChildren | undefined
  readonly actions: readonly MenuAction[]
}

/** A value that is chosen from a menu. */
export function InlineChoice({ label, display, actions }: InlineChoiceProps) {
  const { texts } = useConsole()
  return (
    <Menu
      label={label}
      trigger={
        <button
          type="button"
          class={classNames(styles.value, styles.choice, display === undefined && styles.missing)}
        >
          {display ?? texts.record.addValue(label)}
        </button>
      }
      groups={[{ actions }]}
    />
  )
}
