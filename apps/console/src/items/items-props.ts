import type { Deal, LineItem } from '@sales-crm/client'
import type { ItemNotation } from './item-columns.ts'
import type { ItemChanges } from './use-item-changes.ts'
import type { SaveItem } from './use-item-save.ts'

/** What the grid and the list of items work on. */
export interface ItemsProps {
  readonly deal: Deal
  readonly items: readonly LineItem[]
  /** The items with the changes that are not drawn yet. */
  readonly readItems: () => readonly LineItem[]
  readonly notation: ItemNotation
  readonly changes: ItemChanges
  readonly save: SaveItem
  readonly isReadOnly: boolean
}
