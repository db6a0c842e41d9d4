import { KIND_ICONS as RECORD_ICONS } from '../records/kinds.ts'
import type { IconName } from '../ui/icons.tsx'
import type { ImportKind } from './can-import.ts'

export const KIND_ICONS: Readonly<Record<ImportKind | 'tags' | 'lists', IconName>> = {
  ...RECORD_ICONS,
  activities: 'note',
  tags: 'tag',
  lists: 'list',
}
