import type { ComponentChildren } from 'preact'
import { Link, useLocation, useSearch } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { isOnPage, PAGES } from '../app/pages.tsx'
import { useMenu } from '../reference/queries.ts'
import { useOverdueCount } from '../tasks/use-overdue-count.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { Logo } from './logo.tsx'
import styles from './main-nav.module.css'
import { useShell } from './shell-context.ts'
import { useAccountMenu, useWorkspaceMenu } from './use-account-menu.ts'

const MAX_LISTS = 12

/** The navigation of wide screens. Below 64rem it is a rail of icons; phones have the dock. */
export function MainNav() {
  const { me, texts } = useConsole()
  const { openPalette, openShortcuts } = useShell()
  const overdue = useOverdueCount()
  const account = useAccountMenu()
  return (
    <nav class={styles.nav} aria-label={texts.nav.main}>
      <WorkspaceButton />
      <button
        type="button"
        class={classNames(styles.item, styles.find)}
        aria-haspopup="dialog"
        onClick={openPalette}
      >
        <Icon name="search" />
        <span class={styles.text}>{texts.nav.find}</span>
        <kbd>{MODIFIER} K</kbd>
      </button>
      <ul>
        {PAGES.map(({ path, icon, title }) => (
          <NavLink key={path} href={path} icon={icon} title={title(texts)}>
            {path === '/' && overdue > 0 && (
              <span class={classNames(text.lateCount, styles.count)} title={texts.nav.overdue(overdue)}>
                {overdue}
                <span class={text.hidden}> {texts.nav.overdue(overdue)}</span>
              </span>
            )}
          </NavLink>
        ))}
      </ul>
      <PipelineLinks />
      <ListLinks />
      <ul class={styles.foot}>
        <li>
          <button type="button" class={styles.item} aria-haspopup="dialog" onClick={openShortcuts}>
            <Icon name="help" />
            <span class={styles.text}>{texts.nav.shortcuts}</span>
            <kbd>?</kbd>
          </button>
        </li>
        {isAdmin(me) && <NavLink href="/settings" icon="gear" title={texts.nav.settings} />}
        <li>
          <Menu
            label={texts.nav.account}
            trigger={
              <button type="button" class={styles.item}>
                <Avatar of={me} />
                <span class={classNames(styles.text, text.cut)}>{me.name}</span>
              </button>
            }
            groups={account}
          />
        </li>
      </ul>
    </nav>
  )
}

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

function WorkspaceButton() {
  const { workspace, texts } = useConsole()
  return (
    <Menu
      label={texts.nav.workspaces}
      trigger={
        <button type="button" class={styles.brand}>
          <Logo />
          <span class={classNames(styles.text, text.cut)}>{workspace.name}</span>
          <Icon name="updown" />
        </button>
      }
      groups={useWorkspaceMenu()}
    />
  )
}

interface NavLinkProps {
  readonly href: string
  readonly icon: IconName
  readonly title: string
  readonly isCurrent?: boolean
  readonly children?: ComponentChildren
}

function NavLink({ href, icon, title, isCurrent, children }: NavLinkProps) {
  const [path] = useLocation()
  const isHere = isCurrent ?? isOnPage(path, href)
  return (
    <li>
      <Link class={styles.item} href={href} aria-current={isHere ? 'page' : undefined} title={title}>
        <Icon name={icon} />
        <span class={classNames(styles.text, text.cut)}>{title}</span>
        {children}
      </Link>
    </li>
  )
}

function PipelineLinks() {
  const { texts } = useConsole()
  const pipelines = useMenu('pipelines')
  const [path] = useLocation()
  const shown = new URLSearchParams(useSearch()).get('pipeline')
  if ((pipelines.data?.length ?? 0) < 2) return null
  return (
    <section aria-labelledby="nav-pipelines">
      <h2 id="nav-pipelines">{texts.nav.pipelines}</h2>
      <ul>
        {pipelines.data?.map(({ id, name }) => (
          <NavLink
            key={id}
            href={`/deals?pipeline=${id}`}
            icon="branch"
            title={name}
            isCurrent={path === '/deals' && shown === id}
          />
        ))}
      </ul>
    </section>
  )
}

function ListLinks() {
  const { texts, formatNumber } = useConsole()
  const lists = useMenu('lists')
  const [path] = useLocation()
  const shown = new URLSearchParams(useSearch()).get('list')
  if (!lists.data?.length) return null
  return (
    <section aria-labelledby="nav-lists">
      <h2 id="nav-lists">{texts.nav.lists}</h2>
      <ul>
        {lists.data.slice(0, MAX_LISTS).map(({ id, name, records_count }) => (
          <NavLink
            key={id}
            href={`/people?list=${id}`}
            icon="list"
            title={name}
            isCurrent={path === '/people' && shown === id}
          >
            <span class={classNames(text.count, styles.count)}>{formatNumber(records_count)}</span>
          </NavLink>
        ))}
      </ul>
    </section>
  )
}
