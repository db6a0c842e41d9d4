import type { Deal } from '@sales-crm/client'
import { MAX_LINE_ITEMS } from '@sales-crm/core/browser'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useFocusRef } from '../keyboard/use-focus-ref.ts'
import { useLatest } from '../keyboard/use-latest.ts'
import { showError } from '../ui/toasts.tsx'
import type { ItemNotation } from './item-columns.ts'
import { itemKeys } from './item-keys.ts'
import { itemOfProduct, itemOfText, itemOfValues } from './new-items.ts'
import type { NewLineChoice } from './product-field.tsx'
import { readPastedLines } from './read-lines.ts'
import type { ItemChanges } from './use-item-changes.ts'
import type { useItems } from './use-items.ts'
import { findProduct } from './use-product-search.ts'

interface NewLineOptions {
  readonly deal: Deal
  readonly notation: ItemNotation
  readonly changes: ItemChanges
  readonly readItems: ReturnType<typeof useItems>['readItems']
  /** Called when a typed text turns out to be no product. */
  readonly askPrice?: (key: string) => void
  /** Called when a refused text is back in the line. */
  readonly reopen: (key: string) => void
}

/** The line in which items are added: what is typed into it, where it stands, and what was refused. */
export function useNewLine({ deal, notation, changes, readItems, ...options }: NewLineOptions) {
  const askPrice = useLatest((key: string) => options.askPrice?.(key))
  const reopen = useLatest(options.reopen)
  const { crm } = useConsole()
  const typed = useFocusRef<string>()
  /** The key of the item below which it stands; undefined at the end. */
  const below = useFocusRef<string>()
  const [reason, setReason] = useState<string>()

  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )

  function type(text: string): void {
    setReason(undefined)
    typed.set(text)
  }
  /** An amount that somebody typed stays. */
  function isSummed(): boolean {
    return readItems().length === 0 && deal.amount === 0 && deal.amount_source === 'typed'
  }
  function positionOf(key: string | undefined): number | undefined {
    const index = readItems().findIndex((item) => itemKeys.keyOf(item) === key)
    return index === -1 ? undefined : index + 1
  }
  function optionsFor(key: string, text: string) {
    const onRefused = (refusal: string) => {
      // What is typed by now stays.
      if (typed.ref.current || !isShown.current) showError(notation.itemTexts.errors.notAdded(text, refusal))
      else {
        typed.set(text)
        setReason(refusal)
        reopen(key)
      }
    }
    return { position: positionOf(below.ref.current), isSummed: isSummed(), onRefused }
  }

  /** Adds what was chosen. @returns its key, and whether its price is not known */
  function add(choice: NewLineChoice): { readonly key: string; readonly lacksPrice: boolean } {
    const key = crypto.randomUUID()
    const { quantity } = choice
    const addition = optionsFor(key, typed.ref.current ?? '')
    if ('product' in choice) {
      const item = itemOfProduct(key, choice.product, quantity, deal.currency)
      changes.add(key, item, addition)
    } else {
      const item = itemOfText(key, choice.text, quantity)
      changes.add(key, item, addition, async () => {
        const product = choice.isSought ? await findProduct(crm, choice.text) : undefined
        if (!product && choice.isSought) askPrice(key)
        return product ? itemOfProduct(key, product, quantity, deal.currency) : item
      })
    }
    type('')
    if (below.ref.current !== undefined) below.set(key)
    const lacksPrice = 'product' in choice ? choice.product.currency !== deal.currency : !choice.isSought
    return { key, lacksPrice }
  }
  /** Adds copied rows below an item, or where the line stands. @returns the key of the last one */
  function addRows(rows: string, line: string | undefined): string | undefined {
    const { errors } = notation.itemTexts
    const lines = readPastedLines(rows, notation)
    if (typeof lines === 'string') {
      setReason(lines)
      return undefined
    }
    const free = MAX_LINE_ITEMS - readItems().length
    if (lines.length > free) {
      setReason(errors.tooMany(free))
      return undefined
    }
    const items = new Map(lines.map((line) => [crypto.randomUUID() as string, line]))
    if (items.size === 0) return undefined
    changes.addAll(new Map([...items].map(([key, line]) => [key, itemOfValues(key, line)])), {
      position: positionOf(line ?? below.ref.current),
      isSummed: isSummed(),
      onRefused: (refusal) =>
        isShown.current ? setReason(refusal) : showError(notation.texts.errors.notSaved(refusal)),
    })
    setReason(undefined)
    return [...items.keys()].at(-1)
  }
  function reset(): void {
    type('')
    below.set(undefined)
  }
  return { typed: typed.value ?? '', below, reason, type, add, addRows, reset }
}
