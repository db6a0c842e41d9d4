import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useDragSurface } from '../../ui/drag/use-drag-surface.ts'
import { announce } from '../../ui/live-region.tsx'
import { useSettingsTexts } from '../texts.ts'
import { moveItem } from './move-item.ts'

const loadRowDrag = async () => (await import('./row-drag.ts')).createRowDrag

interface ReorderOptions<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
  readonly reorder: (items: readonly Item[]) => void
}

export interface Reorder<Item> {
  readonly listRef: RefObject<HTMLOListElement | null>
  /** The items in the order that they would have if the lifted one were dropped. */
  readonly shown: readonly Item[]
  readonly liftedKey: string | undefined
  readonly onGripKey: (event: KeyboardEvent, key: string) => void
  readonly onGripBlur: (key: string) => void
}

/** Sorts a list by its handles: by pointer, or by Space, the arrows and Space. Each step is announced. */
export function useReorder<Item>(options: ReorderOptions<Item>): Reorder<Item> {
  const { items, keyOf, nameOf, reorder } = options
  const { order } = useSettingsTexts()
  const indexOf = (key: string | undefined) => items.findIndex((item) => keyOf(item) === key)
  const say: Say = (words, key, at) => {
    const item = items[indexOf(key)]
    if (item !== undefined) announce(words(nameOf(item), at + 1, items.length))
  }
  const { lift, shown, drop, handleKey } = useLift(items, indexOf, say, reorder)

  function dropOn(key: string, target: string | undefined): void {
    const [from, to] = [indexOf(key), target === undefined ? -1 : indexOf(target)]
    const moved = moveItem(items, from, to)
    if (moved === items) say(order.restored, key, from)
    else {
      say(order.dropped, key, to)
      reorder(moved)
    }
  }
  const listRef = useDragSurface<HTMLOListElement>(
    { onLift: (key) => say(order.lifted, key, indexOf(key)), onDrop: dropOn },
    loadRowDrag,
  )
  // An element that is moved in the document loses the focus.
  useLayoutEffect(() => {
    if (lift) gripOf(listRef.current, lift.key)?.focus()
  }, [lift])

  return {
    listRef,
    shown,
    liftedKey: lift?.key,
    onGripKey(event, key) {
      if (!handleKey(event.key, key)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onGripBlur(key) {
      setTimeout(() => {
        if (lift?.key === key && document.activeElement !== gripOf(listRef.current, key)) drop()
      })
    },
  }
}

type Say = (words: (name: string, at: number, of: number) => string, key: string, at: number) => void

/** The item that is lifted by its key, and where it would be dropped. */
function useLift<Item>(
  items: readonly Item[],
  indexOf: (key: string | undefined) => number,
  say: Say,
  reorder: (items: readonly Item[]) => void,
) {
  const { order } = useSettingsTexts()
  const [lift, setLift] = useState<{ readonly key: string; readonly at: number }>()
  const shown = lift ? moveItem(items, indexOf(lift.key), lift.at) : items

  function place(key: string, at: number, words: typeof order.moved): void {
    setLift({ key, at })
    say(words, key, at)
  }
  function drop(): void {
    if (!lift) return
    setLift(undefined)
    say(order.dropped, lift.key, lift.at)
    if (shown !== items) reorder(shown)
  }
  /** Returns false for a key that does nothing. */
  function handleKey(pressed: string, key: string): boolean {
    if (!lift) {
      if (pressed === ' ') place(key, indexOf(key), order.lifted)
      return pressed === ' '
    }
    const step = stepOf(pressed)
    if (pressed === ' ' || pressed === 'Enter') drop()
    else if (pressed === 'Escape') {
      setLift(undefined)
      say(order.restored, key, indexOf(key))
    } else if (step !== 0) place(key, Math.min(Math.max(lift.at + step, 0), items.length - 1), order.moved)
    else return false
    return true
  }
  return { lift, shown, drop, handleKey }
}

function stepOf(key: string): number {
  if (key === 'ArrowUp' || key === 'ArrowLeft') return -1
  return key === 'ArrowDown' || key === 'ArrowRight' ? 1 : 0
}

function gripOf(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector(`[data-grip="${CSS.escape(key)}"]`) ?? null
}
