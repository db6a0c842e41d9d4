import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { canImport } from '../import/can-import.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { buttonStyles } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

/** Leads to the import of the kinds that have one. */
export function ImportLink({ kind }: { readonly kind: CreatableKind }) {
  const { me, texts } = useConsole()
  if (!canImport(me, kind)) return null
  return (
    <Link class={buttonStyles['button']} href={`/import/${kind}`} aria-label={texts.imports[kind]}>
      <Icon name="upload" />
      {texts.imports.import}
    </Link>
  )
}
