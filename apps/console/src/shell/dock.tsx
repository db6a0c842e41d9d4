import { Link, useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { canCreate } from '../app/permissions.ts'
import { type CreatableKind, KIND_ICONS } from '../records/kinds.ts'
import { useOverdueCount } from '../tasks/use-overdue-count.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import styles from './dock.module.css'
import { isOnPage, PAGES } from './pages.ts'
import { useShell } from './shell-context.ts'
import { useAccountMenu } from './use-account-menu.ts'

const CREATABLE: readonly CreatableKind[] = ['deals', 'people', 'companies', 'tasks', 'products']

/** The navigation of phones. */
export function Dock() {
  const { me, texts } = useConsole()
  const { openCreateAtHand, openPalette } = useShell()
  const [, navigate] = useLocation()
  const overdue = useOverdueCount()
  const account = useAccountMenu()
  return (
    <nav class={styles.dock} aria-label={texts.nav.main}>
      <DockLink href="/" icon="sun" label={texts.nav.myDay} late={overdue} />
      <DockLink href="/deals" icon="board" label={texts.labels.deals} />
      <Menu
        trigger={
          <button type="button" class={styles.add} aria-label={texts.nav.create}>
            <Icon name="plus" />
          </button>
        }
        groups={[
          {
            actions: CREATABLE.filter((kind) => canCreate(me, kind)).map((kind) => ({
              label: texts.create[kind],
              icon: KIND_ICONS[kind],
              select: () => openCreateAtHand(kind),
            })),
          },
        ]}
      />
      <DockLink href="/people" icon="person" label={texts.labels.people} />
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
              ...PAGES.slice(3).map(({ href, icon, title }) => ({
                label: title(texts),
                icon,
                select: () => navigate(href),
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

interface DockLinkProps {
  readonly href: string
  readonly icon: IconName
  readonly label: string
  readonly late?: number
}

function DockLink({ href, icon, label, late = 0 }: DockLinkProps) {
  const [path] = useLocation()
  const isHere = isOnPage(path, href)
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {late > 0 && (
        <span class={text.lateCount} aria-hidden="true">
          {late}
        </span>
      )}
    </Link>
  )
}
