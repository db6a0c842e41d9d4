import { useState } from 'preact/hooks'

const PREFIX = 'console.draft.'

/**
 * State that survives a reload and a sign-in, in this tab of the browser. `clear` forgets it.
 * @param key undefined keeps nothing
 */
export function useDraft<T>(key: string | undefined, initial: T): [T, (value: T) => void, () => void] {
  const [value, setValue] = useState<T>(() => mergeDraft(initial, readDraft(key)))
  return [
    value,
    (next) => {
      setValue(next)
      if (key !== undefined) sessionStorage.setItem(PREFIX + key, JSON.stringify(next))
    },
    () => {
      setValue(initial)
      if (key !== undefined) sessionStorage.removeItem(PREFIX + key)
    },
  ]
}

function readDraft<T>(key: string | undefined): T | undefined {
  const text = key === undefined ? null : sessionStorage.getItem(PREFIX + key)
  return text === null ? undefined : (JSON.parse(text) as T)
}

/** An earlier version of the console may have stored fewer fields. */
function mergeDraft<T>(initial: T, stored: T | undefined): T {
  if (stored === undefined) return initial
  return typeof initial === 'object' ? { ...initial, ...stored } : stored
}
