import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { classNames } from '../ui/class-names.ts'
import dialog from '../ui/dialog.module.css'
import { Icon } from '../ui/icon.tsx'
import menu from '../ui/menu.module.css'
import styles from './palette.module.css'
import { type Command, type CommandGroup, usePaletteCommands } from './use-palette-commands.ts'

/** Jumps to any record or page, and creates anything. */
export function Palette({ close }: { readonly close: () => void }) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  const groups = usePaletteCommands(typed)
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={dialog.scrim} />
        <BaseDialog.Viewport className={dialog.viewport}>
          <BaseDialog.Popup className={styles.palette} aria-label={texts.palette.title}>
            <Autocomplete.Root
              inline
              open
              items={groups}
              value={typed}
              onValueChange={(value: string, details: { readonly reason: string }) => {
                if (details.reason !== 'item-press') setTyped(value)
              }}
              itemToStringValue={({ label }: Command) => label}
              filter={null}
              autoHighlight="always"
            >
              <div class={styles.input}>
                <Icon name="search" />
                <Autocomplete.Input
                  aria-label={texts.palette.title}
                  placeholder={texts.palette.hint}
                  autoFocus
                  maxLength={200}
                />
                <kbd>Esc</kbd>
              </div>
              <Autocomplete.Empty className={styles.none}>{texts.palette.nothing}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.title} items={group.items}>
                    <Autocomplete.GroupLabel className={menu.title}>{group.title}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(command: Command) => (
                        <Autocomplete.Item
                          key={command.id}
                          value={command}
                          className={classNames(menu.item, styles.item)}
                          onClick={() => {
                            close()
                            command.run()
                          }}
                        >
                          <Icon name={command.icon} />
                          <span class={menu.text}>{command.label}</span>
                          {command.detail && <span class={styles.detail}>{command.detail}</span>}
                          {command.after && <span class={menu.after}>{command.after}</span>}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
