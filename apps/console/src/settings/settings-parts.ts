import type { IconName } from '../ui/icons.tsx'
import { LABEL_KINDS } from './labels/label.ts'
import type { SettingsTexts } from './texts.ts'

export interface SettingsPart {
  readonly path: string
  readonly icon: IconName
  readonly name: keyof SettingsTexts['parts']
  /** True if a member may change nothing in it. */
  readonly isForAdmins?: boolean
}

export const SETTINGS_PARTS: readonly SettingsPart[] = [
  { path: '/settings/workspace', icon: 'team', name: 'workspace' },
  { path: '/settings/members', icon: 'person', name: 'members' },
  { path: '/settings/pipelines', icon: 'board', name: 'pipelines', isForAdmins: true },
  { path: '/settings/custom-fields', icon: 'fields', name: 'customFields', isForAdmins: true },
  ...LABEL_KINDS,
  { path: '/settings/webhooks', icon: 'hook', name: 'webhooks' },
]

/** The part that a path is in: the first one for the path of the settings themselves. */
export function findPart(path: string): SettingsPart | undefined {
  if (path === '/settings' || path === '/settings/') return SETTINGS_PARTS[0]
  return SETTINGS_PARTS.find((part) => path === part.path || path.startsWith(`${part.path}/`))
}
