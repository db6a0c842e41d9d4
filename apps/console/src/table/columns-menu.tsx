import { Popover } from '@base-ui/react/popover'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Check } from '../ui/field.tsx'
import menu from '../ui/menu.module.css'
import text from '../ui/text.module.css'
import { type Column, chooseColumns, toggleColumn } from './column.ts'
import styles from './columns-menu.module.css'

/** Chooses the columns of a table. The address keeps the choice. */
export function ColumnsMenu<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const names = params.get('columns') ?? undefined
  const shown = chooseColumns(columns, names)
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button icon="columns" class={text.deskOnly}>
            {texts.tables.columns}
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner className={menu.positioner} align="end" sideOffset={4}>
          <Popover.Popup className={classNames(menu.float, styles.columns)} aria-label={texts.tables.columns}>
            <ul>
              {columns.map((column, index) => (
                <li key={column.key} class={styles.column}>
                  <Check
                    label={column.label}
                    checked={shown.includes(column)}
                    disabled={index === 0}
                    change={() => set({ columns: toggleColumn(columns, names, column.key) })}
                  />
                  <span>{column.label}</span>
                  {index === 0 && <span class={menu.after}>{texts.tables.alwaysShown}</span>}
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
