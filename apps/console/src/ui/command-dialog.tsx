import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useHeldEnter } from '../keyboard/use-held-enter.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './command-dialog.module.css'
import dialog from './dialog.module.css'
import { Highlighted } from './highlighted.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'
import menu from './menu.module.css'
import text from './text.module.css'

export interface Command {
  readonly id: string
  readonly icon?: IconName | undefined
  /** Drawn in place of an icon. */
  readonly mark?: ComponentChildren
  readonly label: string
  readonly detail?: string | undefined
  readonly after?: ComponentChildren
  /** The key that does the same. */
  readonly shortcut?: string | undefined
  readonly isChecked?: boolean
  /** The page that it opens: with Ctrl or ⌘, in a new tab. */
  readonly href?: string | undefined
  readonly run: () => void
}

export interface CommandGroup {
  readonly title?: string | undefined
  readonly items: readonly Command[]
}

interface CommandDialogProps {
  readonly title: string
  readonly placeholder: string
  readonly noneText: string
  readonly closeLabel: string
  readonly typed: string
  readonly type: (typed: string) => void
  /** What fits the typed text. */
  readonly groups: readonly CommandGroup[]
  /** True while `groups` are not yet those of the typed text. */
  readonly isSeeking?: boolean
  /** Before the field: what the commands act on. */
  readonly subject?: ComponentChildren
  readonly footer?: ComponentChildren
  readonly close: () => void
}

/** A dialog whose field finds one of many commands, and runs it by Enter. */
export function CommandDialog(props: CommandDialogProps) {
  const { title, noneText, typed, type, groups, footer, close } = props
  const highlighted = useRef<Command>(undefined)
  const run = (command: Command, inNewTab: boolean) => {
    close()
    if (inNewTab && command.href !== undefined) window.open(command.href, '_blank', 'noopener')
    else command.run()
  }
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={dialog.scrim} />
        <BaseDialog.Viewport className={dialog.viewport}>
          <BaseDialog.Popup className={styles.popup} aria-label={title}>
            <Autocomplete.Root
              inline
              open
              items={groups}
              value={typed}
              onValueChange={(value: string, details: { readonly reason: string }) => {
                if (details.reason !== 'item-press') type(value)
              }}
              onItemHighlighted={(command: Command | undefined) => {
                highlighted.current = command
              }}
              itemToStringValue={({ label }: Command) => label}
              filter={null}
              autoHighlight="always"
            >
              <CommandField
                {...props}
                openTab={() => highlighted.current && run(highlighted.current, true)}
              />
              <Autocomplete.Empty className={styles.none}>{noneText}</Autocomplete.Empty>
              <CommandList sought={typed.trim()} run={run} />
              {footer && <div class={classNames(styles.footer, text.deskOnly)}>{footer}</div>}
            </Autocomplete.Root>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

interface CommandFieldProps
  extends Pick<
    CommandDialogProps,
    'title' | 'placeholder' | 'subject' | 'closeLabel' | 'isSeeking' | 'close'
  > {
  readonly openTab: () => void
}

function CommandField(props: CommandFieldProps) {
  const { title, placeholder, subject, closeLabel, isSeeking = false, close, openTab } = props
  const holdEnter = useHeldEnter(isSeeking)
  return (
    <div class={styles.input}>
      <Icon name="search" />
      {subject}
      <Autocomplete.Input
        aria-label={title}
        placeholder={placeholder}
        autoFocus
        maxLength={200}
        onKeyDown={(event: KeyboardEvent) => {
          if (holdEnter(event) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          openTab()
        }}
      />
      <kbd class={text.deskOnly}>Esc</kbd>
      <IconButton class={text.phoneOnly} icon="x" label={closeLabel} onClick={close} />
    </div>
  )
}

interface CommandListProps {
  readonly sought: string
  readonly run: (command: Command, inNewTab: boolean) => void
}

function CommandList({ sought, run }: CommandListProps) {
  return (
    <Autocomplete.List className={styles.list}>
      {(group: CommandGroup, index: number) => (
        <Autocomplete.Group key={group.title ?? index} items={group.items}>
          {group.title && (
            <Autocomplete.GroupLabel className={menu.title}>{group.title}</Autocomplete.GroupLabel>
          )}
          <Autocomplete.Collection>
            {(command: Command) => (
              <CommandItem
                key={command.id}
                command={command}
                sought={sought}
                run={(event) => run(command, event.ctrlKey || event.metaKey)}
              />
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  )
}

interface CommandItemProps {
  readonly command: Command
  /** Marked where it stands in the text. */
  readonly sought: string
  readonly run: (event: MouseEvent) => void
}

function CommandItem({ command, sought, run }: CommandItemProps) {
  const { icon, mark, label, detail, after, isChecked, shortcut } = command
  return (
    <Autocomplete.Item
      value={command}
      className={classNames(menu.item, styles.item)}
      onClick={run}
      {...(isChecked !== undefined && { 'aria-checked': isChecked })}
    >
      {mark}
      {icon && <Icon name={icon} />}
      <span class={menu.text}>
        <Highlighted text={label} sought={sought} />
      </span>
      {detail && (
        <span class={styles.detail}>
          <Highlighted text={detail} sought={sought} />
        </span>
      )}
      {after && <span class={menu.after}>{after}</span>}
      {isChecked && (
        <span class={menu.after}>
          <Icon name="check" />
        </span>
      )}
      {shortcut && <kbd>{shortcut}</kbd>}
    </Autocomplete.Item>
  )
}
