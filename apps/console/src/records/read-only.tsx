import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import styles from './read-only.module.css'

/** Why the record of a page or a row cannot be changed; undefined for one that can. */
export const ReadOnlyContext = createContext<string | undefined>(undefined)

/** True where the values of a record are plain text. */
export function useIsReadOnly(): boolean {
  return useContext(ReadOnlyContext) !== undefined
}

const REASON_ID = 'read-only-reason'

/** Says once on a page why nothing of it can be changed. */
export function ReadOnlyReason({ reason }: { readonly reason: string | undefined }) {
  if (reason === undefined) return null
  return (
    <p class={styles.reason} id={REASON_ID}>
      <Icon name="lock" />
      {reason}
    </p>
  )
}

/** The attributes of a control that the page shows as disabled. It can have the focus, so that its reason is read. */
export function useDisabledAttributes() {
  return useIsReadOnly() ? ({ 'aria-disabled': true, 'aria-describedby': REASON_ID } as const) : {}
}
