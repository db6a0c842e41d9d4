import type { LineItem } from '@sales-crm/client'
import { MAX_LINE_ITEMS } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useShell } from '../shell/shell-context.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import text from '../ui/text.module.css'
import { ITEM_COLUMNS } from './item-columns.ts'
import { ItemDialog } from './item-dialog.tsx'
import { itemKeys } from './item-keys.ts'
import styles from './items.module.css'
import type { ItemsProps } from './items-props.ts'
import { copyOfItem } from './new-items.ts'
import { type NewLineChoice, ProductField } from './product-field.tsx'
import type { ItemErrors, TypedItem } from './use-item-save.ts'
import { useNewLine } from './use-new-line.ts'

/** The items of a deal where there is no room for a grid: each opens as a sheet of its fields. */
export function ItemsList(props: ItemsProps) {
  const { items, readItems, notation, changes, save, isReadOnly } = props
  const { formatNumber } = useConsole()
  const { show } = useShell()
  const { itemTexts } = notation
  const [isAdding, setIsAdding] = useState(false)
  const newLine = useNewLine({ ...props, reopen: () => setIsAdding(true) })
  const isFull = items.length >= MAX_LINE_ITEMS

  function open(item: LineItem, typed: TypedItem = {}, errors: ItemErrors = {}): void {
    show((close) => (
      <ItemDialog
        {...{ item, typed, errors, notation, close }}
        save={(next) => save(item, next, (refused) => open(item, next, refused))}
        remove={() => changes.remove(item)}
      />
    ))
  }
  function take(choice: NewLineChoice): void {
    const { key, lacksPrice } = newLine.add(choice)
    const item = readItems().find((each) => itemKeys.keyOf(each) === key)
    if (!lacksPrice || !item) return
    setIsAdding(false)
    open(item)
  }
  function copy(item: LineItem, index: number): void {
    const key = crypto.randomUUID()
    changes.add(key, copyOfItem(key, item), { position: index + 1, isSummed: false })
  }
  return (
    <>
      <ul class={styles.list} aria-labelledby="items">
        {items.map((item, index) => (
          <li key={itemKeys.keyOf(item)}>
            {isReadOnly ? (
              <div class={styles.listItem}>
                <ItemSummary item={item} notation={notation} />
              </div>
            ) : (
              <button type="button" class={styles.listItem} aria-haspopup="dialog" onClick={() => open(item)}>
                <ItemSummary item={item} notation={notation} />
              </button>
            )}
            {!isReadOnly && (
              <LazyMenu
                align="end"
                trigger={<IconButton icon="dots" label={notation.texts.actions.actionsFor(item.name)} />}
                groups={() => [
                  {
                    actions: [
                      ...(isFull
                        ? []
                        : [
                            { label: itemTexts.copy, icon: 'copy' as const, select: () => copy(item, index) },
                          ]),
                      ...(index === 0
                        ? []
                        : [
                            {
                              ...{ label: itemTexts.moveUp, icon: 'up' as const },
                              select: () => changes.move(item, index - 1),
                            },
                          ]),
                      ...(index === items.length - 1
                        ? []
                        : [
                            {
                              ...{ label: itemTexts.moveDown, icon: 'down' as const },
                              select: () => changes.move(item, index + 1),
                            },
                          ]),
                      {
                        ...{ label: itemTexts.remove, icon: 'trash', isRisky: true },
                        select: () => changes.remove(item),
                      },
                    ],
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {isFull && !isReadOnly && <p class={text.missing}>{itemTexts.full(formatNumber(MAX_LINE_ITEMS))}</p>}
      {isAdding && !isFull && (
        <ProductField
          typed={newLine.typed}
          type={newLine.type}
          take={take}
          cancel={() => {
            newLine.reset()
            setIsAdding(false)
          }}
        />
      )}
      {newLine.reason !== undefined && <FieldError>{newLine.reason}</FieldError>}
      {!isReadOnly && !isFull && !isAdding && (
        <Button look="quiet" icon="plus" class={styles.addOne} onClick={() => setIsAdding(true)}>
          {itemTexts.addOne}
        </Button>
      )}
    </>
  )
}

function ItemSummary({ item, notation }: { readonly item: LineItem } & Pick<ItemsProps, 'notation'>) {
  const { formatAmount, texts } = useConsole()
  const { currency, itemTexts } = notation
  const discount = ITEM_COLUMNS.discount.display(item, notation)
  const price = `${ITEM_COLUMNS.quantity.display(item, notation)} × ${ITEM_COLUMNS.unit_price_cts.display(item, notation)}`
  return (
    <>
      <span>{item.name}</span>
      <b>{formatAmount({ amount: item.total_cts, currency })}</b>
      <span class={text.soft}>
        {[price, discount && itemTexts.less(discount)].filter(Boolean).join(', ')}
      </span>
      <span class={text.soft}>{texts.products.billing[item.billing_cycle].toLowerCase()}</span>
    </>
  )
}
