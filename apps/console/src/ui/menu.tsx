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
  /** Undefined for an action that is not a choice. */
  readonly isChecked?: boolean
  /** True for a choice that does not take the place of another one. */
  readonly isToggle?: boolean
  readonly select: () => void
}

export interface MenuGroup {
  readonly title?: string
  /** True if several are chosen one after the other. */
  readonly staysOpen?: boolean
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
          <BaseMenu.Popup className={styles.float} aria-label={label} onFocus={highlightFirst}>
            {groups
              .filter(({ actions }) => actions.length > 0)
              .map((group, index) => (
                <BaseMenu.Group key={group.title ?? index}>
                  {index > 0 && <hr class={styles.line} />}
                  {group.title && (
                    <BaseMenu.GroupLabel className={styles.title}>{group.title}</BaseMenu.GroupLabel>
                  )}
                  {group.actions.map((action) => (
                    <MenuItem key={action.label} action={action} staysOpen={group.staysOpen} />
                  ))}
                </BaseMenu.Group>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

/** Highlights the first item of a menu that a key has opened. */
function highlightFirst({ target, currentTarget, relatedTarget }: FocusEvent): void {
  const popup = currentTarget as HTMLElement
  const comesFromItem = relatedTarget instanceof Node && popup.contains(relatedTarget)
  if (target !== popup || comesFromItem || !popup.matches(':focus-visible')) return
  popup.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
}

interface MenuItemProps {
  readonly action: MenuAction
  readonly staysOpen: boolean | undefined
}

function MenuItem({ action, staysOpen = false }: MenuItemProps) {
  const { label, icon, mark, shortcut, after, disabledReason, isRisky, isChecked, isToggle, select } = action
  return (
    <BaseMenu.Item
      className={classNames(styles.item, isRisky && styles.risky)}
      disabled={disabledReason !== undefined}
      label={label}
      closeOnClick={!staysOpen}
      onClick={select}
      {...(isChecked !== undefined && {
        role: isToggle ? 'menuitemcheckbox' : 'menuitemradio',
        'aria-checked': isChecked,
      })}
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
