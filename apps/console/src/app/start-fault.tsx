import { explainError } from '../cache/explain-error.ts'
import { BASE_PATH, EXPECTED_ORIGIN } from '../session/page-settings.ts'
import type { Texts } from '../texts/en.ts'
import { Button } from '../ui/button.tsx'
import styles from './start-fault.module.css'

interface StartFaultProps {
  readonly texts: Texts
  /** Undefined if the workspace of the address does not exist for this member. */
  readonly error?: unknown
}

/** Why no workspace is shown. A session that has ended leads to the sign-in page instead. */
export function StartFault({ texts, error }: StartFaultProps) {
  const { faults } = texts
  const status = (error as { readonly status?: number } | undefined)?.status
  if (status === 401) return null
  return (
    <main class={styles.fault}>
      <h1>{error === undefined ? faults.noWorkspace : faults.loading}</h1>
      <p>
        {error === undefined
          ? faults.noWorkspaceText
          : status === 404
            ? faults.noMembership
            : status === 403 && location.origin !== EXPECTED_ORIGIN
              ? faults.wrongAddress(EXPECTED_ORIGIN, location.origin)
              : explainError(error, texts)}
      </p>
      <p>
        <Button icon="refresh" onClick={() => location.reload()}>
          {texts.actions.retry}
        </Button>{' '}
        <a href={`${BASE_PATH}/account`}>{texts.nav.account}</a>
      </p>
    </main>
  )
}
