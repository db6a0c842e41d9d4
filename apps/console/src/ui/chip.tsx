import type { ButtonHTMLAttributes, Ref } from 'preact'
import styles from './chip.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'
import text from './text.module.css'

interface ChipProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  /** True if it filters. */
  readonly on?: boolean
  readonly icon?: IconName
  readonly ref?: Ref<HTMLButtonElement>
}

/** Opens the menu of a filter. */
export function Chip({ on = false, icon, children, ...attributes }: ChipProps) {
  return (
    <button type="button" {...attributes} class={classNames(styles.chip, on && styles.on)}>
      {icon && <Icon name={icon} />}
      {children}
      <Icon name="down" />
    </button>
  )
}

interface TagProps {
  readonly name: string
  /** `#rrggbb`; without one, no dot is drawn. */
  readonly colour?: string
  readonly remove?: { readonly label: string; readonly run: () => void } | undefined
}

export function TagChip({ name, colour, remove }: TagProps) {
  return (
    <span class={styles.tag} style={colour && { '--colour': colour }} title={name}>
      {colour && <i class={styles.dot} aria-hidden="true" />}
      <span class={text.cut}>{name}</span>
      {remove && (
        <button type="button" class={styles.remove} aria-label={remove.label} onClick={remove.run}>
          <Icon name="x" small />
        </button>
      )}
    </span>
  )
}
