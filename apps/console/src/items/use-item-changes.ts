import type { Deal, LineItem, LineItemChanges, LineItemList, LineItems } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { showError } from '../ui/toasts.tsx'
import { itemKeys } from './item-keys.ts'
import { copyOfItem, type NewItem } from './new-items.ts'
import { insertItem, moveItem, toItemList, withAmounts } from './patch-items.ts'
import { useItemTexts } from './texts.ts'

/** What the items of a deal become, and the call for it. Items are named by their keys, since those have no id at first. */
interface ItemsChange extends Pick<Change, 'done' | 'onError'> {
  /** May be called again, also when the items have it already. */
  readonly apply: (items: readonly LineItem[]) => readonly LineItem[]
  readonly send: () => Promise<unknown>
  readonly undo?: () => ItemsChange
}

export interface Addition {
  /** Default: after the last item. */
  readonly position?: number | undefined
  /** True to make the sum of the items the amount of the deal. */
  readonly isSummed: boolean
  readonly onRefused?: ((reason: string) => void) | undefined
}

export type ItemChanges = ReturnType<typeof useItemChanges>

/** Changes the items of a deal: shown at once, sent one after the other, and taken back by undo. */
export function useItemChanges(deal: Deal) {
  const { crm, texts } = useConsole()
  const itemTexts = useItemTexts()
  const change = useChange()
  const calls = crm.deals.items

  function toChange({ apply, send, undo, ...rest }: ItemsChange): Change {
    return {
      ...rest,
      ids: [deal.id],
      send: (call) => call(deal.id, send),
      patchOf: () => (data, queryKey) =>
        isItems(queryKey, deal.id) ? toItemList(apply((data as LineItemList).data)) : data,
      undo: undo && (() => toChange(undo())),
    }
  }

  function setSource(amount_source: Deal['amount_source']): Promise<unknown> {
    return crm.deals.update(deal.id, { amount_source })
  }

  /** @param find what becomes of a typed text may have to be sought first */
  function addition(key: string, item: NewItem, addition: Addition, find = async () => item): ItemsChange {
    const { position, isSummed, onRefused } = addition
    let { shown } = item
    return {
      apply: (items) =>
        items.some((each) => itemKeys.keyOf(each) === key) ? items : insertItem(items, shown, position),
      send: async () => {
        const { input } = await find()
        const { data } = await calls.create(deal.id, {
          ...input,
          ...(position !== undefined && { position }),
        })
        itemKeys.setId(key, data.id)
        shown = data
        if (isSummed) await setSource('items')
      },
      done: itemTexts.added(shown.name),
      undo: () => removal(key, () => shown, isSummed),
      onError: (error) => {
        const reason = explainError(error, texts)
        if (onRefused) onRefused(reason)
        else showError(itemTexts.errors.notAdded(shown.name, reason))
      },
    }
  }

  /** @param read the item, as it is when the removal is taken back */
  function removal(key: string, read: () => LineItem, wasSummed = false): ItemsChange {
    return {
      apply: (items) => items.filter((each) => itemKeys.keyOf(each) !== key),
      send: async () => {
        await calls.delete(deal.id, itemKeys.idOf(key))
        if (wasSummed) await setSource('typed')
      },
      done: itemTexts.removed(read().name),
      undo: () => {
        const item = read()
        return addition(key, copyOfItem(key, item), { position: item.position, isSummed: false })
      },
    }
  }

  function edit(key: string, to: Partial<LineItem>, from: Partial<LineItem>, label: string): ItemsChange {
    return {
      apply: (items) =>
        items.map((each) => (itemKeys.keyOf(each) === key ? withAmounts({ ...each, ...to }) : each)),
      send: () => calls.update(deal.id, itemKeys.idOf(key), to as LineItemChanges),
      done: texts.record.saved(label),
      undo: () => edit(key, from, to, label),
    }
  }

  function move(key: string, item: LineItem, to: number): ItemsChange {
    return {
      apply: (items) => {
        const moved = items.find((each) => itemKeys.keyOf(each) === key)
        return moved ? moveItem(items, moved, to) : items
      },
      send: () => calls.update(deal.id, itemKeys.idOf(key), { position: to }),
      done: itemTexts.moved(item.name),
      undo: () => move(key, { ...item, position: to }, item.position),
    }
  }

  /**
   * Adds several items by one call, which replaces all: those that are there just before it are sent by their ids alone.
   */
  function additions(
    added: ReadonlyMap<string, NewItem>,
    { position, isSummed, onRefused }: Addition,
  ): ItemsChange {
    const keys = [...added.keys()]
    return {
      apply: (items) =>
        items.some((each) => keys.includes(itemKeys.keyOf(each)))
          ? items
          : items.toSpliced(position ?? items.length, 0, ...[...added.values()].map(({ shown }) => shown)),
      send: async () => {
        const { data } = await calls.list(deal.id)
        const at = Math.min(position ?? data.length, data.length)
        const inputs = [...added.values()].map(({ input }) => input)
        const result = await calls.replace(
          deal.id,
          data.map(({ id }): LineItems['items'][number] => ({ id })).toSpliced(at, 0, ...inputs),
        )
        for (const [index, key] of keys.entries()) {
          const item = result.data[at + index]
          if (item) itemKeys.setId(key, item.id)
        }
        if (isSummed) await setSource('items')
      },
      done: itemTexts.addedMany(added.size),
      undo: () => removals(added, isSummed),
      onError: (error) => onRefused?.(explainError(error, texts)),
    }
  }

  function removals(added: ReadonlyMap<string, NewItem>, wasSummed: boolean): ItemsChange {
    return {
      apply: (items) => items.filter((each) => !added.has(itemKeys.keyOf(each))),
      send: async () => {
        const { data } = await calls.list(deal.id)
        const others = data.filter((each) => !added.has(itemKeys.keyOf(each)))
        await calls.replace(
          deal.id,
          others.map(({ id }) => ({ id })),
        )
        if (wasSummed) await setSource('typed')
      },
    }
  }

  const make = (each: ItemsChange): void => change(toChange(each))
  return {
    add: (key: string, item: NewItem, options: Addition, find?: () => Promise<NewItem>) =>
      make(addition(key, item, options, find)),
    addAll: (added: ReadonlyMap<string, NewItem>, options: Addition) => make(additions(added, options)),
    remove: (item: LineItem) => make(removal(itemKeys.keyOf(item), () => item)),
    move: (item: LineItem, to: number) => make(move(itemKeys.keyOf(item), item, to)),
    update: (
      item: LineItem,
      to: Partial<LineItem>,
      { label, onError }: { readonly label: string; readonly onError: (error: unknown) => void },
    ) => {
      const from = Object.fromEntries(Object.keys(to).map((name) => [name, item[name as keyof LineItem]]))
      make({ ...edit(itemKeys.keyOf(item), to, from, label), onError })
    },
  }
}

export function itemsKey(dealId: string) {
  return ['deals', 'items', dealId] as const
}

function isItems(queryKey: readonly unknown[], dealId: string): boolean {
  return itemsKey(dealId).every((part, index) => queryKey[index] === part)
}
