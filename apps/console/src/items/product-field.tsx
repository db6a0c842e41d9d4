import { Autocomplete } from '@base-ui/react/autocomplete'
import type { ProductListItem } from '@sales-crm/client'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { classNames } from '../ui/class-names.ts'
import field from '../ui/field.module.css'
import { Icon } from '../ui/icon.tsx'
import menu from '../ui/menu.module.css'
import text from '../ui/text.module.css'
import styles from './items.module.css'
import { readTypedLine } from './read-lines.ts'
import { useItemTexts } from './texts.ts'
import { useProductSearch } from './use-product-search.ts'

/** What a new line becomes: a product, a free text, or what the service finds for a text whose products are not shown yet. */
export type NewLineChoice =
  | { readonly quantity: number; readonly product: ProductListItem }
  | { readonly quantity: number; readonly text: string; readonly isSought: boolean }

export interface ProductFieldProps {
  readonly typed: string
  readonly type: (typed: string) => void
  /** @param goesOn true for Tab, which goes to the quantity of the new item */
  readonly take: (choice: NewLineChoice, goesOn: boolean) => void
  readonly cancel: () => void
  readonly leave?: (() => void) | undefined
  readonly reasonId?: string | undefined
  /** True in a cell of the grid. */
  readonly isCell?: boolean
}

/** A product, or what was typed. */
type Option = ProductListItem | typeof FREE_TEXT

const FREE_TEXT = 'free text'

interface BaseKeyboardEvent extends KeyboardEvent {
  preventBaseUIHandler?(): void
}

/** Finds a product by what is typed after its quantity, or takes the text as it is. */
export function ProductField(props: ProductFieldProps) {
  const { typed, type, take, cancel, leave, reasonId, isCell = false } = props
  const { workspace } = useConsole()
  const itemTexts = useItemTexts()
  const { quantity, text: sought } = readTypedLine(typed, workspace.locale)
  const { products, isSeeking } = useProductSearch(sought)
  const highlighted = useRef<Option>(undefined)
  const hasMoved = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const options: readonly Option[] = sought === '' ? [] : [...products, FREE_TEXT]
  // Before the next key, which may follow the one that has opened the field.
  useLayoutEffect(() => input.current?.focus(), [])
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [options.length])

  function takeOption(option: Option, goesOn: boolean): void {
    take(
      option === FREE_TEXT ? { quantity, text: sought, isSought: false } : { quantity, product: option },
      goesOn,
    )
  }
  function handleKey(event: BaseKeyboardEvent): void {
    const isTaking = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && sought !== ''
    if (!isTaking && event.key !== 'Escape') {
      hasMoved.current = event.key === 'ArrowDown' || event.key === 'ArrowUp'
      return
    }
    event.preventDefault()
    event.stopPropagation()
    event.preventBaseUIHandler?.()
    if (!isTaking) {
      cancel()
      return
    }
    const isShown = !isSeeking || hasMoved.current
    hasMoved.current = false
    const option = highlighted.current ?? options[0]
    if (isShown && option) takeOption(option, event.key === 'Tab')
    else take({ quantity, text: sought, isSought: true }, event.key === 'Tab')
  }

  return (
    <Autocomplete.Root
      inline
      open
      items={options}
      filter={null}
      value={typed}
      onValueChange={(next: string, { reason }: { readonly reason: string }) => {
        if (reason !== 'item-press') type(next)
      }}
      onItemHighlighted={(option: Option | undefined) => {
        highlighted.current = option
      }}
      itemToStringValue={(option: Option) => (option === FREE_TEXT ? sought : option.name)}
      autoHighlight="always"
    >
      <Autocomplete.Input
        ref={input}
        className={classNames(field.input, isCell && field.small, isCell && styles.editor)}
        aria-label={itemTexts.find}
        placeholder={isCell ? undefined : itemTexts.add}
        maxLength={200}
        aria-expanded={options.length > 0}
        {...(reasonId !== undefined && { 'aria-invalid': true, 'aria-describedby': reasonId })}
        onKeyDown={handleKey}
        onBlur={leave}
      />
      <div
        ref={list}
        class={classNames(options.length > 0 && menu.float, styles.products, isCell && styles.below)}
      >
        {options.length > 0 && <p class={menu.title}>{itemTexts.quantityFirst}</p>}
        {/* A press does not take the focus from the field. */}
        <Autocomplete.List onMouseDown={(event: MouseEvent) => event.preventDefault()}>
          {(option: Option) => (
            <Autocomplete.Item
              key={option === FREE_TEXT ? FREE_TEXT : option.id}
              value={option}
              className={menu.item}
              onClick={() => takeOption(option, false)}
            >
              {option === FREE_TEXT ? <FreeTextOption sought={sought} /> : <ProductOption product={option} />}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </div>
    </Autocomplete.Root>
  )
}

function FreeTextOption({ sought }: { readonly sought: string }) {
  const itemTexts = useItemTexts()
  return (
    <>
      <Icon name="plus" />
      <span class={menu.text}>{itemTexts.freeText(sought)}</span>
      <span class={menu.after}>{itemTexts.priceNext}</span>
    </>
  )
}

function ProductOption({ product }: { readonly product: ProductListItem }) {
  const { formatAmount, texts } = useConsole()
  const { name, code, currency, price_cts: amount, billing_cycle } = product
  return (
    <>
      <Icon name="product" />
      <span class={menu.text}>{name}</span>
      {code && <span class={classNames(text.soft, text.tiny, text.deskOnly)}>{code}</span>}
      <span class={menu.after}>
        {formatAmount({ amount, currency })} · {texts.products.billing[billing_cycle].toLowerCase()}
      </span>
    </>
  )
}
