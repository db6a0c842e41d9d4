import type { Kind } from './kinds.ts'

export function RecordPage({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  return (
    <p>
      {kind} {id}
    </p>
  )
}
