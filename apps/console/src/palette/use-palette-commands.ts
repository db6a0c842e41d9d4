import type { CompanyListItem, DealListItem, PersonListItem, ProductListItem } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { PAGES } from '../app/pages.tsx'
import { canCreate } from '../app/permissions.ts'
import { findMatch } from '../format/find-match.ts'
import { readSearch } from '../format/typed-text.ts'
import { canImport } from '../import/can-import.ts'
import { CREATABLE_KINDS, KIND_ICONS } from '../records/kinds.ts'
import { SETTINGS_PLACES } from '../settings/settings-places.ts'
import { useSettingsTexts } from '../settings/texts.ts'
import { type RecordAtHand, useShell } from '../shell/shell-context.ts'
import type { Command, CommandGroup } from '../ui/command-dialog.tsx'
import type { MenuAction } from '../ui/menu.tsx'

const LIMIT = 5

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
  const { records, isSeeking } = useFoundRecords(isActions ? '' : text)
  const pages = usePages()
  const settings = useSettingsPages()
  const creations = useCreations(text)
  const fitting = (commands: readonly Command[]) =>
    text === '' ? commands : commands.filter(({ label }) => findMatch(label, text))
  const actions = (atHand?.menu ?? []).flatMap(({ actions }) => actions).map(actionCommand)
  const groups = [
    { title: texts.palette.found, items: records },
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

/** Opens a page of the workspace. */
function useLinkCommand(): (path: string) => Pick<Command, 'id' | 'href' | 'run'> {
  const [, navigate] = useLocation()
  const { base } = useRouter()
  return (path) => ({ id: path, href: `${base}${path}`, run: () => navigate(path) })
}

function useFoundRecords(text: string): {
  readonly records: readonly Command[]
  readonly isSeeking: boolean
} {
  const { crm, formatAmount } = useConsole()
  const link = useLinkCommand()
  const sought = readSearch(text)
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ['search', 'all', sought],
    queryFn: ({ signal }) => crm.search({ search: sought ?? '', limit: LIMIT }, { signal }),
    enabled: sought !== undefined,
    placeholderData: keepPreviousData,
  })
  const isSeeking = sought !== undefined && (isPlaceholderData || isLoading)
  if (sought === undefined || !data) return { records: [], isSeeking }
  const contact = (kind: 'people' | 'companies') => (record: PersonListItem | CompanyListItem) => ({
    ...link(`/${kind}/${record.id}`),
    icon: KIND_ICONS[kind],
    label: record.full_name,
    detail: record.emails[0]?.email ?? record.phones[0]?.phone,
  })
  const records = [
    ...(data.companies?.records ?? []).map(contact('companies')),
    ...(data.people?.records ?? []).map(contact('people')),
    ...(data.deals?.records ?? []).map((deal: DealListItem) => ({
      ...link(`/deals/${deal.id}`),
      icon: KIND_ICONS.deals,
      label: deal.name,
      detail: deal.company?.full_name ?? deal.person?.full_name,
      after: [deal.stage?.name, deal.amount > 0 && formatAmount(deal)].filter(Boolean).join(', '),
    })),
    ...(data.products?.records ?? []).map((product: ProductListItem) => ({
      ...link(`/products?search=${encodeURIComponent(product.name)}`),
      icon: KIND_ICONS.products,
      label: product.name,
      detail: product.code ?? undefined,
    })),
  ]
  return { records, isSeeking }
}
