import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ComponentChildren, JSX } from 'preact'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'
import styles from './menu.module.css'

export interface MenuAction {
  readonly label: string
  readonly icon?: IconName | undefined
  /** Drawn in place of an icon. */
  readonly mark?: ComponentChildren
  /** The key that does the same. */
  readonly shortcut?: string | undefined
  readonly after?: ComponentChildren
  /** Why the action is not possible, shown at its end. */
  readonly disabledReason?: string | undefined
  readonly isRisky?: boolean
  readonly isChecked?: boolean
  readonly select: () => void
}

export interface MenuGroup {
  readonly title?: string
  readonly actions: readonly MenuAction[]
}

export interface MenuProps {
  readonly trigger: JSX.Element
  readonly label?: string | undefined
  readonly groups: readonly MenuGroup[]
  readonly align?: 'start' | 'end'
  readonly open?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

export function Menu({ trigger, label, groups, align = 'start', open, onOpenChange }: MenuProps) {
  const control = open === undefined ? {} : { open }
  return (
    <BaseMenu.Root {...control} {...(onOpenChange && { onOpenChange })} modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} align={align} sideOffset={4}>
          <BaseMenu.Popup className={styles.float} aria-label={label}>
            {groups
              .filter(({ actions }) => actions.length > 0)
              .map((group, index) => (
                <BaseMenu.Group key={group.title ?? index}>
                  {index > 0 && <hr class={styles.line} />}
                  {group.title && (
                    <BaseMenu.GroupLabel className={styles.title}>{group.title}</BaseMenu.GroupLabel>
                  )}
                  {group.actions.map((action) => (
                    <MenuItem key={action.label} action={action} />
                  ))}
                </BaseMenu.Group>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function MenuItem({ action }: { readonly action: MenuAction }) {
  const { label, icon, mark, shortcut, after, disabledReason, isRisky, isChecked, select } = action
  return (
    <BaseMenu.Item
      className={classNames(styles.item, isRisky && styles.risky)}
      disabled={disabledReason !== undefined}
      label={label}
      onClick={select}
    >
      {mark}
      {icon && <Icon name={icon} />}
      <span class={styles.text}>{label}</span>
      {(disabledReason ?? after) && <span class={styles.after}>{disabledReason ?? after}</span>}
      {isChecked && (
        <span class={styles.after}>
          <Icon name="check" />
        </span>
      )}
      {shortcut && <kbd>{shortcut}</kbd>}
    </BaseMenu.Item>
  )
}
