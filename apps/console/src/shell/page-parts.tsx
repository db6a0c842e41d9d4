import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import styles from './page-parts.module.css'

/** The head of a page. */
export function Bar({ children }: { readonly children: ComponentChildren }) {
  return <header class={styles.bar}>{children}</header>
}

export function BarEnd({ children }: { readonly children: ComponentChildren }) {
  return <div class={styles.end}>{children}</div>
}

export function Filters({ children }: { readonly children: ComponentChildren }) {
  const { texts } = useConsole()
  return (
    <fieldset class={styles.filters} aria-label={texts.tables.filters}>
      {children}
    </fieldset>
  )
}

interface HintsProps {
  readonly keys: readonly (readonly [keys: readonly string[], label: string])[]
}

/** What the keys do on this page. */
export function Hints({ keys }: HintsProps) {
  return (
    <p class={styles.hints}>
      {keys.map(([names, label]) => (
        <span key={label}>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}{' '}
          {label}
        </span>
      ))}
    </p>
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
