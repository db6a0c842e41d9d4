import type { ComponentChildren } from 'preact'
import { pageStyles } from '../../shell/page-parts.tsx'

/** Stands in place of a part that cannot be shown. */
export function PartMessage({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class={pageStyles.state}>
      <p>{children}</p>
    </div>
  )
}
