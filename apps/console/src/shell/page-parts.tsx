import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { classNames } from '../ui/class-names.ts'
import text from '../ui/text.module.css'
import styles from './page-parts.module.css'

/** The head of a page. */
export function Bar({ children }: { readonly children: ComponentChildren }) {
  return <header class={styles.bar}>{children}</header>
}

export function BarEnd({ children }: { readonly children: ComponentChildren }) {
  return <div class={styles.end}>{children}</div>
}

/** What narrows the view. F reaches it, Shift and F clear it. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  const { texts } = useConsole()
  const { clear } = useViewParams()
  const element = useRef<HTMLFieldSetElement>(null)
  const reach = () => {
    const add = element.current?.querySelector<HTMLElement>('[data-filter-add] input')
    ;(add ?? element.current?.querySelector('button'))?.focus()
  }
  useKeys({ f: reach, 'Shift+F': clear })
  return (
    <fieldset ref={element} class={styles.filters} aria-label={texts.tables.filters}>
      {children}
    </fieldset>
  )
}

interface HintsProps {
  readonly keys: readonly (readonly [keys: readonly string[], label: string])[]
  /** What has the focus. */
  readonly end?: string | undefined
}

/** What the keys do on this page. */
export function Hints({ keys, end }: HintsProps) {
  return (
    <p class={styles.hints}>
      {keys.map(([names, label]) => (
        <KeyHint key={label} keys={names} label={label} />
      ))}
      {end && <span class={classNames(text.push, text.cut)}>{end}</span>}
    </p>
  )
}

export function KeyHint({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <span>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}{' '}
      {label}
    </span>
  )
}

/** Names the page in the browser's history and tabs. */
export function usePageTitle(title: string | undefined): void {
  const { workspace } = useConsole()
  useEffect(() => {
    document.title = title === undefined ? workspace.name : `${title} · ${workspace.name}`
  }, [title, workspace.name])
}

export { styles as pageStyles }
