import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { pageStyles } from './page-parts.tsx'

interface LoadFaultProps {
  /** Undefined for a script of the page itself. */
  readonly error?: unknown
  readonly retry: () => unknown
}

/** What could not be read, why, and the way to try again. */
export function LoadFault({ error, retry }: LoadFaultProps) {
  const { texts } = useConsole()
  return (
    <div class={pageStyles.state}>
      <Notice kind="fault">
        {texts.faults.loading} {error !== undefined && explainError(error, texts)}
      </Notice>
      <Button icon="refresh" onClick={() => retry()}>
        {texts.actions.retry}
      </Button>
    </div>
  )
}
