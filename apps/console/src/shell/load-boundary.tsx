import { Component, type ComponentChildren } from 'preact'

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
