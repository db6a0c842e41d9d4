import { explainError } from '../cache/explain-error.ts'
import { BASE_PATH, EXPECTED_ORIGIN } from '../session/page-settings.ts'
import type { Texts } from '../texts/en.ts'
import { Button } from '../ui/button.tsx'
import styles from './start-error.module.css'

interface StartErrorProps {
  readonly texts: Texts
  /** Undefined if the workspace of the address does not exist for this member. */
  readonly error?: unknown
}

/** Why no workspace is shown. A session that has ended leads to the sign-in page instead. */
export function StartError({ texts, error }: StartErrorProps) {
  const { errors } = texts
  const status = (error as { readonly status?: number } | undefined)?.status
  if (status === 401) return null
  return (
    <main class={styles.error}>
      <h1>{error === undefined ? errors.noWorkspace : errors.loading}</h1>
      <p>
        {error === undefined
          ? errors.noWorkspaceText
          : status === 404
            ? errors.noMembership
            : status === 403 && location.origin !== EXPECTED_ORIGIN
              ? errors.wrongAddress(EXPECTED_ORIGIN, location.origin)
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
