import { Combobox as Base } from '@base-ui/react/combobox'
import type { ComponentChildren } from 'preact'
import { useHeldEnter } from '../keyboard/use-held-enter.ts'
import { classNames } from './class-names.ts'
import styles from './combobox.module.css'
import field from './field.module.css'
import type { FieldIds } from './field.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'
import menu from './menu.module.css'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly after?: ComponentChildren
}

interface ComboboxProps {
  readonly ids: Partial<FieldIds> & { readonly 'aria-label'?: string }
  readonly choices: readonly Choice[]
  readonly chosen: Choice | null
  readonly choose: (choice: Choice | null) => void
  /** Called with what is typed. The caller finds the choices. Without it, the choices are filtered here. */
  readonly search?: ((typed: string) => void) | undefined
  /** True while `choices` are not yet those of what is typed. */
  readonly isSeeking?: boolean
  readonly placeholder?: string | undefined
  readonly noneText: string
  readonly clearLabel: string
  readonly small?: boolean
  readonly autoFocus?: boolean
}

/** A field that finds one of many. */
export function Combobox(props: ComboboxProps) {
  const { ids, choices, chosen, choose, search, placeholder, noneText, clearLabel, small, autoFocus } = props
  const holdEnter = useHeldEnter(props.isSeeking ?? false)
  return (
    <Base.Root
      items={choices}
      value={chosen}
      onValueChange={(choice) => choose(choice)}
      itemToStringLabel={({ label }: Choice) => label}
      isItemEqualToValue={(a: Choice, b: Choice) => a.value === b.value}
      {...(search && { filter: null, onInputValueChange: (typed: string) => search(typed) })}
      autoHighlight
    >
      <span class={styles.frame}>
        <Base.Input
          {...ids}
          className={classNames(field.input, small && field.small)}
          placeholder={placeholder}
          autoFocus={autoFocus}
          onKeyDown={holdEnter}
        />
        {chosen && (
          <Base.Clear className={styles.clear} aria-label={clearLabel}>
            <Icon name="x" small />
          </Base.Clear>
        )}
      </span>
      <Base.Portal>
        <Base.Positioner className={menu.positioner} align="start" sideOffset={4}>
          <Base.Popup className={classNames(menu.float, styles.popup)}>
            <Base.Empty className={styles.none}>{noneText}</Base.Empty>
            <Base.List>
              {(choice: Choice) => (
                <Base.Item key={choice.value} value={choice} className={menu.item}>
                  {choice.icon && <Icon name={choice.icon} />}
                  <span class={menu.text}>{choice.label}</span>
                  {choice.after && <span class={menu.after}>{choice.after}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
