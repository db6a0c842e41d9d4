import type { ComponentChildren } from 'preact'
import { Link, useLocation, useSearch } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { isOnPage, PAGES } from '../app/pages.tsx'
import { BellButton } from '../notifications/bell-button.tsx'
import { KIND_ICONS } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'
import { useOverdueCount } from '../tasks/use-overdue-count.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { useViewTexts } from '../views/texts.ts'
import { hrefOfView, MAX_VIEW_LINKS, useViewCounts } from '../views/view-links.ts'
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
  const hrefOfPage = usePageHref()
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
      <BellButton class={styles.item} textClass={styles.text} countClass={styles.count} />
      <ul>
        {PAGES.map(({ path, icon, title }) => (
          <NavLink key={path} href={hrefOfPage(path)} icon={icon} title={title(texts)}>
            {path === '/' && overdue > 0 && (
              <span class={classNames(text.lateCount, styles.count)} title={texts.nav.overdue(overdue)}>
                {overdue}
                <span class={text.hidden}> {texts.nav.overdue(overdue)}</span>
              </span>
            )}
          </NavLink>
        ))}
      </ul>
      <ViewLinks />
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
  const isInView = new URLSearchParams(useSearch()).has('saved')
  const isHere = isCurrent ?? (isOnPage(path, href.split('?')[0] ?? href) && !isInView)
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

/** The address of a page: that of the view with which the member begins it, if there is one. */
function usePageHref(): (path: string) => string {
  const { me } = useConsole()
  const views = useMenu('views').data ?? []
  return (path) => {
    const view = views.find(({ kind, default_for }) => `/${kind}` === path && default_for.includes(me.role))
    return view ? hrefOfView(view) : path
  }
}

function ViewLinks() {
  const { formatNumber } = useConsole()
  const texts = useViewTexts()
  const views = (useMenu('views').data ?? []).slice(0, MAX_VIEW_LINKS)
  const counts = useViewCounts(views.length > 0)
  const shown = new URLSearchParams(useSearch()).get('saved')
  if (views.length === 0) return null
  return (
    <section aria-labelledby="nav-views">
      <h2 id="nav-views">{texts.views}</h2>
      <ul>
        {views.map((view) => (
          <NavLink
            key={view.id}
            href={hrefOfView(view)}
            icon={KIND_ICONS[view.kind]}
            title={view.name}
            isCurrent={shown === view.id}
          >
            <ViewCount count={counts.get(view.id)} format={formatNumber} />
          </NavLink>
        ))}
      </ul>
    </section>
  )
}

interface ViewCountProps {
  /** Null if it cannot be read; undefined until it is. */
  readonly count: number | null | undefined
  readonly format: (count: number) => string
}

function ViewCount({ count, format }: ViewCountProps) {
  const texts = useViewTexts()
  if (count === undefined) return null
  return (
    <span class={classNames(text.count, styles.count)} title={count === null ? texts.noCount : undefined}>
      {count === null ? '–' : format(count)}
    </span>
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
