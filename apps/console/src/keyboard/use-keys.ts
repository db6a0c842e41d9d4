import { useLayoutEffect, useRef } from 'preact/hooks'
import { tinykeys } from 'tinykeys'
import { isInputMethodKey } from './input-method.ts'

/** What keys do, by tinykeys' names, such as `g d`, `Shift+W` and `$mod+k`. */
export type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => void>>

const OFF_KEY = 'console.single-keys'

export function areSingleKeysOn(): boolean {
  return localStorage.getItem(OFF_KEY) !== 'off'
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(OFF_KEY, on ? 'on' : 'off')
}

/** The first key of all sequences. */
const FIRST_KEY = 'g'
const SEQUENCE_MS = 1000
let firstKeyAt = Number.NEGATIVE_INFINITY
/** True while a key is handled that follows the first of a sequence: alone, it would do something else. */
let isSecondKey = false

window.addEventListener(
  'keydown',
  (event) => {
    isSecondKey = event.timeStamp - firstKeyAt < SEQUENCE_MS
    firstKeyAt = event.key === FIRST_KEY && !isTyping(event) ? event.timeStamp : Number.NEGATIVE_INFINITY
  },
  { capture: true },
)

/** The keys with Ctrl that fields have, too. */
const TEXT_KEYS = new Set(['$mod+a'])

let isSilent = false

/** Silences single keys, for a dialog that is loaded or open: what is typed is meant for it. */
export function silenceKeys(silent: boolean): void {
  isSilent = silent
}

/**
 * Binds keys while the component is shown. Keys without Ctrl or ⌘ are silent while something is typed, and in menus
 * and dialogs, which have keys of their own.
 */
export function useKeys(bindings: KeyBindings): void {
  const latest = useRef(bindings)
  latest.current = bindings
  const names = Object.keys(bindings).join('|')
  // Before the next frame: a key may follow at once what is drawn.
  useLayoutEffect(() => {
    const handlers = Object.fromEntries(
      names.split('|').map((name) => [
        name,
        (event: KeyboardEvent) => {
          const isSingle = !name.includes('$mod')
          if (TEXT_KEYS.has(name) && (isSilent || isTyping(event))) return
          if (isSingle && (isSilent || !areSingleKeysOn() || isTyping(event))) return
          if (name === 'Enter' && isOnControl(event)) return
          if (isSecondKey && !name.includes(' ')) return
          event.preventDefault()
          latest.current[name]?.(event)
        },
      ]),
    )
    // The handlers decide where keys are silent: by default, Ctrl and K would be in fields too.
    return tinykeys(window, handlers, { ignore: isInputMethodKey })
  }, [names])
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=dialog], [role=alertdialog], [role=listbox]',
    ) !== null
  )
}

/** Enter follows a link and presses a button. */
function isOnControl({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('a, button') !== null
}
