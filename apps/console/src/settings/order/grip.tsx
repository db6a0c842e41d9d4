import { IconButton } from '../../ui/button.tsx'
import { useSettingsTexts } from '../texts.ts'
import styles from './order.module.css'
import type { Reorder } from './use-reorder.ts'

interface GripProps {
  readonly itemKey: string
  readonly name: string
  readonly at: number
  readonly of: number
  readonly order: Pick<Reorder<unknown>, 'liftedKey' | 'onGripKey' | 'onGripBlur'>
}

/** The handle of a row. */
export function Grip({ itemKey, name, at, of, order }: GripProps) {
  const settings = useSettingsTexts()
  return (
    <IconButton
      small
      icon="grip"
      class={styles.grip}
      label={settings.order.move(name, at, of)}
      aria-roledescription={settings.order.role}
      aria-pressed={order.liftedKey === itemKey}
      data-grip={itemKey}
      onKeyDown={(event) => order.onGripKey(event, itemKey)}
      onBlur={() => order.onGripBlur(itemKey)}
    />
  )
}

export { styles as orderStyles }
