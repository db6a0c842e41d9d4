import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'size'> {
  readonly look?: 'main' | 'plain' | 'quiet' | 'risky'
  readonly small?: boolean
  readonly icon?: IconName | undefined
  readonly children?: ComponentChildren
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  look = 'plain',
  small,
  icon,
  children,
  class: className,
  ...attributes
}: ButtonProps) {
  return (
    <button
      type="button"
      {...attributes}
      class={classNames(
        styles.button,
        look !== 'plain' && styles[look],
        small && styles.small,
        className as string,
      )}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'size' | 'label'> {
  readonly icon: IconName
  /** The verb and its object. */
  readonly label: string
  readonly small?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ icon, label, small, class: className, ...attributes }: IconButtonProps) {
  return (
    <button
      type="button"
      {...attributes}
      aria-label={label}
      class={classNames(styles.iconButton, small && styles.small, className as string)}
    >
      <Icon name={icon} />
    </button>
  )
}

export { styles as buttonStyles }
