import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { undoLast } from '../cache/undo.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { Bar, usePageTitle } from '../shell/page-parts.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { findPart } from './find-part.ts'
import { PartMessage } from './frame/part-page.tsx'
import { SettingsNav } from './settings-nav.tsx'
import styles from './settings-page.module.css'
import { SETTINGS_PARTS, type SettingsPart } from './settings-parts.tsx'
import { useSettingsTexts } from './texts.ts'

/** The settings: their parts beside the open one, or on narrow sheets the parts first. */
export function SettingsPage() {
  const { texts } = useConsole()
  const settings = useSettingsTexts()
  const [path] = useLocation()
  const part = findPart(SETTINGS_PARTS, path)
  useKeys({ z: undoLast })
  const isIndex = path === '/settings' || path === '/settings/'
  usePageTitle(part && !isIndex ? `${settings.parts[part.name]} · ${texts.nav.settings}` : texts.nav.settings)
  return (
    <>
      <Bar>
        {!isIndex && (
          <Link class={styles.back} href="/settings" aria-label={settings.back}>
            <Icon name="left" />
          </Link>
        )}
        <h1>{texts.nav.settings}</h1>
      </Bar>
      <div class={classNames(styles.split, isIndex && styles.isIndex)}>
        <SettingsNav current={part} />
        <div class={styles.part}>
          <PartRoutes part={part} />
        </div>
      </div>
    </>
  )
}

function PartRoutes({ part }: { readonly part: SettingsPart | undefined }) {
  const { me } = useConsole()
  const settings = useSettingsTexts()
  if (!part) return <Redirect to="/settings" replace />
  if (part.isForAdmins && !isAdmin(me)) return <PartMessage>{settings.adminsOnly}</PartMessage>
  return (
    <Switch>
      {Object.entries(part.pagesBelow ?? {}).map(([pattern, render]) => (
        <Route key={pattern} path={`${part.path}${pattern}`}>
          {render}
        </Route>
      ))}
      <Route component={part.page} />
    </Switch>
  )
}
