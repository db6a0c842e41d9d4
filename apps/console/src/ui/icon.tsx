import styles from './icon.module.css'
import { ICONS, type IconName } from './icons.tsx'

export function Icon({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) {
  return (
    <svg class={small ? styles.small : styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name]()}
    </svg>
  )
}
