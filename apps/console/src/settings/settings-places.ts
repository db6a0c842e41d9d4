import type { IconName } from '../ui/icons.tsx'
import { LABEL_KINDS } from './labels/label.ts'
import type { SettingsTexts } from './texts.ts'

/** A part of the settings, without its page. */
export interface SettingsPlace {
  readonly path: string
  readonly icon: IconName
  readonly name: keyof SettingsTexts['parts']
  /** True if a member may change nothing in it. */
  readonly isForAdmins?: boolean
}

/** The parts of the settings, in the order of their navigation. */
export const SETTINGS_PLACES: readonly SettingsPlace[] = [
  { name: 'workspace', path: '/settings/workspace', icon: 'team' },
  { name: 'members', path: '/settings/members', icon: 'person' },
  { name: 'visibility', path: '/settings/visibility', icon: 'eye', isForAdmins: true },
  { name: 'pipelines', path: '/settings/pipelines', icon: 'board', isForAdmins: true },
  { name: 'lostReasons', path: '/settings/lost-reasons', icon: 'flag', isForAdmins: true },
  { name: 'customFields', path: '/settings/custom-fields', icon: 'fields', isForAdmins: true },
  ...LABEL_KINDS,
  { name: 'imports', path: '/settings/imports', icon: 'upload' },
  { name: 'webhooks', path: '/settings/webhooks', icon: 'hook' },
]
