import type { ComponentType } from 'preact'
import { lazy } from 'preact/compat'
import { useSearch } from 'wouter'
import { BoardPage } from '../deals/board/board-page.tsx'
import { MyDayPage } from '../my-day/my-day-page.tsx'
import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/icons.tsx'

/** A page of the navigation. */
export interface Page {
  readonly path: string
  /** Leads to it after G. */
  readonly key: string
  readonly icon: IconName
  readonly title: (texts: Texts) => string
  readonly component: ComponentType
}

// My day and the board are where most visits begin: they come with the entry. The others are loaded on demand.
const DealsTablePage = lazy(async () => ({
  default: (await import('../deals/deals-table-page.tsx')).DealsTablePage,
}))
const ContactsPage = lazy(async () => ({
  default: (await import('../contacts/contacts-page.tsx')).ContactsPage,
}))
const ProductsPage = lazy(async () => ({
  default: (await import('../products/products-page.tsx')).ProductsPage,
}))
const TasksPage = lazy(async () => ({ default: (await import('../tasks/tasks-page.tsx')).TasksPage }))
const ReportsPage = lazy(async () => ({ default: (await import('../reports/reports-page.tsx')).ReportsPage }))

export const RecordPage = lazy(async () => ({
  default: (await import('../records/record-page.tsx')).RecordPage,
}))
export const ImportPage = lazy(async () => ({
  default: (await import('../import/import-page.tsx')).ImportPage,
}))
export const OpenImportPage = lazy(async () => ({
  default: (await import('../import/open-import-page.tsx')).OpenImportPage,
}))
export const SettingsPage = lazy(async () => ({
  default: (await import('../settings/settings-page.tsx')).SettingsPage,
}))
export const WelcomePage = lazy(async () => ({ default: (await import('./welcome-page.tsx')).WelcomePage }))

/** The pages of the navigation, in its order. */
export const PAGES: readonly Page[] = [
  { path: '/', key: 'm', icon: 'sun', title: ({ nav }) => nav.myDay, component: MyDayPage },
  { path: '/deals', key: 'd', icon: 'board', title: ({ labels }) => labels.deals, component: DealsPage },
  {
    ...{ path: '/people', key: 'p', icon: 'person', title: ({ labels }) => labels.people },
    component: () => <ContactsPage kind="people" />,
  },
  {
    ...{ path: '/companies', key: 'o', icon: 'company', title: ({ labels }) => labels.companies },
    component: () => <ContactsPage kind="companies" />,
  },
  { path: '/tasks', key: 't', icon: 'tasks', title: ({ labels }) => labels.tasks, component: TasksPage },
  {
    ...{ path: '/products', key: 'i', icon: 'product', title: ({ labels }) => labels.products },
    component: ProductsPage,
  },
  { path: '/reports', key: 'r', icon: 'chart', title: ({ nav }) => nav.reports, component: ReportsPage },
]

/** The imports, which the settings list. */
const IMPORTS = /^\/imports?(?:\/|$)/

/** True for a page and what is below it. */
export function isOnPage(path: string, page: string): boolean {
  if (page === '/settings' && IMPORTS.test(path)) return true
  return path === page || (page !== '/' && path.startsWith(`${page}/`))
}

function DealsPage() {
  const view = new URLSearchParams(useSearch()).get('view')
  return view === 'table' ? <DealsTablePage /> : <BoardPage />
}
