import { Link, useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { isOnPage, PAGES, type Page } from '../app/pages.tsx'
import { canCreate } from '../app/permissions.ts'
import { CREATABLE_KINDS, KIND_ICONS } from '../records/kinds.ts'
import { useOverdueCount } from '../tasks/use-overdue-count.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import styles from './dock.module.css'
import { useShell } from './shell-context.ts'
import { useAccountMenu } from './use-account-menu.ts'

/** The first pages stand beside the button that creates, the others in its menu. */
const DOCK_PAGES = 3

/** The navigation of phones. */
export function Dock() {
  const { me, texts } = useConsole()
  const { openCreateAtHand, openPalette } = useShell()
  const [, navigate] = useLocation()
  const account = useAccountMenu()
  return (
    <nav class={styles.dock} aria-label={texts.nav.main}>
      {PAGES.slice(0, 2).map((page) => (
        <DockLink key={page.path} page={page} />
      ))}
      <Menu
        trigger={
          <button type="button" class={styles.add} aria-label={texts.nav.create}>
            <Icon name="plus" />
          </button>
        }
        groups={[
          {
            actions: CREATABLE_KINDS.filter((kind) => canCreate(me, kind)).map((kind) => ({
              label: texts.create[kind],
              icon: KIND_ICONS[kind],
              select: () => openCreateAtHand(kind),
            })),
          },
        ]}
      />
      {PAGES.slice(2, DOCK_PAGES).map((page) => (
        <DockLink key={page.path} page={page} />
      ))}
      <Menu
        trigger={
          <button type="button">
            <Icon name="menu" />
            {texts.nav.more}
          </button>
        }
        groups={[
          {
            actions: [
              { label: texts.nav.find, icon: 'search', select: openPalette },
              ...PAGES.slice(DOCK_PAGES).map(({ path, icon, title }) => ({
                label: title(texts),
                icon,
                select: () => navigate(path),
              })),
              ...(isAdmin(me)
                ? [{ label: texts.nav.settings, icon: 'gear' as const, select: () => navigate('/settings') }]
                : []),
            ],
          },
          ...account,
        ]}
      />
    </nav>
  )
}

function DockLink({ page }: { readonly page: Page }) {
  const { texts } = useConsole()
  const [path] = useLocation()
  const overdue = useOverdueCount()
  return (
    <Link href={page.path} aria-current={isOnPage(path, page.path) ? 'page' : undefined}>
      <Icon name={page.icon} />
      {page.title(texts)}
      {page.path === '/' && overdue > 0 && (
        <span class={text.lateCount} aria-hidden="true">
          {overdue}
        </span>
      )}
    </Link>
  )
}
