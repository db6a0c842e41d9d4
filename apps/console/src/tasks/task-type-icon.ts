import type { TaskType } from '@sales-crm/client'
import type { IconName } from '../ui/icons.tsx'

const ICONS_BY_KEY: readonly (readonly [RegExp, IconName])[] = [
  [/call|phone|liga|telefon/, 'phone'],
  [/mail/, 'mail'],
  [/meet|demo|visit|reuni|lunch|almo/, 'calendar'],
]

/** The icon of a task type, by its key. */
export function taskTypeIcon(type: Pick<TaskType, 'key'> | null): IconName {
  return ICONS_BY_KEY.find(([pattern]) => type !== null && pattern.test(type.key))?.[1] ?? 'tasks'
}
