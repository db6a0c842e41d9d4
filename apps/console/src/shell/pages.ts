import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/icons.tsx'

interface PageLink {
  readonly href: string
  readonly icon: IconName
  readonly title: (texts: Texts) => string
}

/** The pages of the navigation, in its order. */
export const PAGES: readonly PageLink[] = [
  { href: '/', icon: 'sun', title: ({ nav }) => nav.myDay },
  { href: '/deals', icon: 'board', title: ({ labels }) => labels.deals },
  { href: '/people', icon: 'person', title: ({ labels }) => labels.people },
  { href: '/companies', icon: 'company', title: ({ labels }) => labels.companies },
  { href: '/tasks', icon: 'tasks', title: ({ labels }) => labels.tasks },
  { href: '/products', icon: 'product', title: ({ labels }) => labels.products },
  { href: '/reports', icon: 'chart', title: ({ nav }) => nav.reports },
]

/** True for a page, what is below it, and its import. */
export function isOnPage(path: string, href: string): boolean {
  return path === href || path === `/import${href}` || (href !== '/' && path.startsWith(`${href}/`))
}
