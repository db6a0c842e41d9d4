import { Component, type ComponentChildren } from 'preact'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { pageStyles } from './page-parts.tsx'

interface LoadBoundaryProps {
  readonly children: ComponentChildren
  /** In place of what could not be drawn. */
  readonly fallback?: ComponentChildren
  readonly onError?: () => void
  /** Another value tries again. */
  readonly attempt?: string
}

/** Catches what a page or a dialog throws: mostly a script that could not be loaded, such as after an update. */
export class LoadBoundary extends Component<LoadBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static override getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    globalThis.console.error(error)
    this.props.onError?.()
  }

  override componentDidUpdate({ attempt }: LoadBoundaryProps): void {
    if (attempt !== this.props.attempt && this.state.hasFailed) this.setState({ hasFailed: false })
  }

  render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}

interface LoadErrorProps {
  /** Undefined for a script of the page itself. */
  readonly error?: unknown
  readonly retry: () => unknown
}

/** What could not be read, why, and the way to try again. */
export function LoadError({ error, retry }: LoadErrorProps) {
  const { texts } = useConsole()
  return (
    <div class={pageStyles.state}>
      <Notice kind="error">
        {texts.errors.loading} {error !== undefined && explainError(error, texts)}
      </Notice>
      <Button icon="refresh" onClick={() => retry()}>
        {texts.actions.retry}
      </Button>
    </div>
  )
}
