import type { CompanyListItem, DealListItem, PersonListItem, Product } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { type CreatableKind, KIND_ICONS } from '../records/kinds.ts'
import { PAGES } from '../shell/pages.ts'
import { useShell } from '../shell/shell-context.ts'
import type { IconName } from '../ui/icons.tsx'

export interface Command {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly detail?: string | undefined
  readonly after?: string | undefined
  readonly run: () => void
}

export interface CommandGroup {
  readonly title: string
  readonly items: readonly Command[]
}

const LIMIT = 5
const CREATABLE: readonly CreatableKind[] = ['deals', 'people', 'companies', 'tasks', 'products']

/** What fits the typed text: records, pages, and what can be created. */
export function usePaletteCommands(typed: string): readonly CommandGroup[] {
  const { me, texts } = useConsole()
  const { openCreate, openShortcuts } = useShell()
  const [, navigate] = useLocation()
  const text = typed.trim()
  const records = useFoundRecords(text)
  const fits = (label: string) => fold(label).includes(fold(text))

  const pages = [
    ...PAGES.map(({ href, icon, title }) => ({
      id: href,
      icon,
      label: title(texts),
      run: () => navigate(href),
    })),
    ...(isAdmin(me)
      ? [
          {
            id: '/settings',
            icon: 'gear' as const,
            label: texts.nav.settings,
            run: () => navigate('/settings'),
          },
        ]
      : []),
    { id: 'shortcuts', icon: 'help' as const, label: texts.nav.shortcuts, run: openShortcuts },
  ].filter(({ label }) => fits(label))
  const creations = CREATABLE.map(
    (kind): Command => ({
      id: `new ${kind}`,
      icon: 'plus',
      label: text === '' ? texts.create[kind] : texts.create.named(texts.create[kind], text),
      run: () => openCreate(kind, text === '' ? {} : { name: text }),
    }),
  )
  return [
    { title: texts.palette.found, items: records },
    { title: texts.palette.go, items: pages },
    { title: texts.palette.create, items: creations },
  ].filter(({ items }) => items.length > 0)
}

function useFoundRecords(text: string): readonly Command[] {
  const { crm, formatAmount } = useConsole()
  const [, navigate] = useLocation()
  const { data } = useQuery({
    queryKey: ['search', 'all', text],
    queryFn: ({ signal }) => crm.search({ search: text, limit: LIMIT }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  if (text === '' || !data) return []
  const open = (kind: CreatableKind, id: string) => () => navigate(`/${kind}/${id}`)
  const contact = (kind: 'people' | 'companies') => (record: PersonListItem | CompanyListItem) => ({
    id: record.id,
    icon: KIND_ICONS[kind],
    label: record.full_name,
    detail: record.emails[0]?.email ?? record.phones[0]?.phone,
    run: open(kind, record.id),
  })
  return [
    ...(data.companies?.records ?? []).map(contact('companies')),
    ...(data.people?.records ?? []).map(contact('people')),
    ...(data.deals?.records ?? []).map((deal: DealListItem) => ({
      id: deal.id,
      icon: KIND_ICONS.deals,
      label: deal.name,
      detail: deal.company?.full_name ?? deal.person?.full_name,
      after: [deal.stage?.name, deal.amount > 0 && formatAmount(deal)].filter(Boolean).join(', '),
      run: open('deals', deal.id),
    })),
    ...(data.products?.records ?? []).map((product: Product) => ({
      id: product.id,
      icon: KIND_ICONS.products,
      label: product.name,
      detail: product.code ?? undefined,
      run: () => navigate(`/products?search=${encodeURIComponent(product.name)}`),
    })),
  ]
}

/** Without accents and case, as the service compares. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
