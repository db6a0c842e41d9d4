import { Link, useLocation, useSearch } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import group from '../ui/group.module.css'
import { Icon } from '../ui/icon.tsx'

/** Board or table of the same deals. */
export function ViewSwitch({ view }: { readonly view: 'board' | 'table' }) {
  const { texts } = useConsole()
  const search = useSearch()
  const hrefOf = (target: string) => {
    const params = new URLSearchParams(search)
    if (target === 'board') params.delete('view')
    else params.set('view', target)
    return `/deals${params.size > 0 ? `?${params}` : ''}`
  }
  const [, navigate] = useLocation()
  useKeys({ b: () => navigate(hrefOf('board')), v: () => navigate(hrefOf('table')) })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a bar of links.
    <div class={group.group} role="group" aria-label={texts.deals.view}>
      <Link href={hrefOf('board')} aria-current={view === 'board' ? 'page' : undefined}>
        <Icon name="board" />
        {texts.deals.board}
      </Link>
      <Link href={hrefOf('table')} aria-current={view === 'table' ? 'page' : undefined}>
        <Icon name="list" />
        {texts.deals.table}
      </Link>
    </div>
  )
}
