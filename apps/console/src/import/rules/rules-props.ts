import type { Import, ImportChanges } from '@sales-crm/client'

export interface RulesProps {
  readonly opened: Import
  readonly update: (changes: ImportChanges) => void
}
