import { isAdmin, useConsole } from '../app/console-context.ts'
import { PAGES } from '../app/pages.tsx'
import { canCreate } from '../app/permissions.ts'
import { findMatch } from '../format/find-match.ts'
import { canImport } from '../import/can-import.ts'
import { CREATABLE_KINDS } from '../records/kinds.ts'
import { SETTINGS_PLACES } from '../settings/settings-places.ts'
import { useSettingsTexts } from '../settings/texts.ts'
import { type RecordAtHand, useShell } from '../shell/shell-context.ts'
import type { Command, CommandGroup } from '../ui/command-dialog.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { useFoundRecords } from './use-found-records.ts'
import { useLinkCommand } from './use-link-command.ts'

/** Begins what finds only actions. */
const ACTIONS_PREFIX = '>'

interface PaletteCommands {
  readonly groups: readonly CommandGroup[]
  /** True while the records are not yet those of the typed text. */
  readonly isSeeking: boolean
}

/** What fits the typed text: records, actions of the record at hand, pages, and what can be created. */
export function usePaletteCommands(typed: string, atHand: RecordAtHand | undefined): PaletteCommands {
  const { texts } = useConsole()
  const isActions = typed.startsWith(ACTIONS_PREFIX)
  const text = (isActions ? typed.slice(ACTIONS_PREFIX.length) : typed).trim()
  const { groups: found, isSeeking } = useFoundRecords(isActions ? '' : text)
  const pages = usePages()
  const settings = useSettingsPages()
  const creations = useCreations(text)
  const fitting = (commands: readonly Command[]) =>
    text === '' ? commands : commands.filter(({ label }) => findMatch(label, text))
  const actions = (atHand?.menu ?? []).flatMap(({ actions }) => actions).map(actionCommand)
  const groups = [
    ...found,
    { title: atHand && texts.palette.withRecord(atHand.name), items: fitting(actions) },
    {
      title: texts.palette.go,
      items: isActions ? [] : fitting(text === '' ? pages : [...pages, ...settings]),
    },
    { title: texts.palette.create, items: isActions ? fitting(creations) : creations },
  ]
  return { groups: groups.filter(({ items }) => items.length > 0), isSeeking }
}

function actionCommand({ label, icon, shortcut, select }: MenuAction): Command {
  return { id: label, icon, label, shortcut, run: select }
}

function usePages(): readonly Command[] {
  const { me, texts } = useConsole()
  const { openShortcuts } = useShell()
  const link = useLinkCommand()
  return [
    ...PAGES.map(({ path, icon, title }) => ({ icon, label: title(texts), ...link(path) })),
    ...(canImport(me) ? [{ icon: 'upload' as const, label: texts.imports.file, ...link('/import') }] : []),
    ...(isAdmin(me) ? [{ icon: 'gear' as const, label: texts.nav.settings, ...link('/settings') }] : []),
    { id: 'shortcuts', icon: 'help', label: texts.nav.shortcuts, run: openShortcuts },
  ]
}

/** Those of the settings that the member's role may see, which are too many to show before one is sought. */
function useSettingsPages(): readonly Command[] {
  const { me, texts } = useConsole()
  const { parts } = useSettingsTexts()
  const link = useLinkCommand()
  return SETTINGS_PLACES.filter(({ isForAdmins }) => !isForAdmins || isAdmin(me)).map(
    ({ path, icon, name }) => ({ icon, label: parts[name], detail: texts.nav.settings, ...link(path) }),
  )
}

function useCreations(name: string): readonly Command[] {
  const { me, texts } = useConsole()
  const { openCreateAtHand } = useShell()
  return CREATABLE_KINDS.filter((kind) => canCreate(me, kind)).map((kind) => ({
    id: `new ${kind}`,
    icon: 'plus',
    label: name === '' ? texts.create[kind] : texts.create.named(texts.create[kind], name),
    run: () => openCreateAtHand(kind, name),
  }))
}
