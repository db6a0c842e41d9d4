import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useKeys } from '../keyboard/use-keys.ts'
import { Input } from './field.tsx'
import styles from './search-field.module.css'

const QUIET_MS = 200

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
}

/** The search of a view, which `/` reaches. The view follows when the typing rests. */
export function SearchField({ label, value, change }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(change)
  latest.current = change
  const applied = useRef(value)
  useKeys({ '/': () => input.current?.focus() })
  // A value that was not typed here, such as that of a cleared filter, replaces the text. The text itself comes back as a
  // value when more may have been typed.
  useLayoutEffect(() => {
    if (value !== applied.current) setTyped(value)
    applied.current = value
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      applied.current = typed
      latest.current(typed)
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <Input
      ref={input}
      small
      type="search"
      class={styles.search}
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts="/"
      maxLength={200}
      value={typed}
      change={(value) => setTyped(value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          setTyped('')
          input.current?.blur()
        }
      }}
    />
  )
}
