import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { undoLast } from '../cache/undo.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { Bar, usePageTitle } from '../shell/page-parts.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { CustomFieldPage } from './custom-fields/custom-field-page.tsx'
import { CustomFieldsPage } from './custom-fields/custom-fields-page.tsx'
import { PartMessage } from './frame/part-page.tsx'
import { LABEL_KINDS } from './labels/label.ts'
import { LabelPage } from './labels/label-page.tsx'
import { MembersPage } from './members/members-page.tsx'
import { PipelinePage } from './pipelines/pipeline-page.tsx'
import { PipelinesPage } from './pipelines/pipelines-page.tsx'
import { SettingsNav } from './settings-nav.tsx'
import styles from './settings-page.module.css'
import { findPart, type SettingsPart } from './settings-parts.ts'
import { useSettingsTexts } from './texts.ts'
import { DeliveryPage } from './webhooks/delivery-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

/** The settings: their parts beside the open one, or on narrow sheets the parts first. */
export function SettingsPage() {
  const { texts } = useConsole()
  const settings = useSettingsTexts()
  const [path] = useLocation()
  const part = findPart(path)
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
      <Route path="/settings/members" component={MembersPage} />
      <Route path="/settings/pipelines" component={PipelinesPage} />
      <Route path="/settings/pipelines/:id">{({ id }) => <PipelinePage key={id} id={id} />}</Route>
      <Route path="/settings/custom-fields" component={CustomFieldsPage} />
      <Route path="/settings/custom-fields/:id">{({ id }) => <CustomFieldPage key={id} id={id} />}</Route>
      {LABEL_KINDS.map((kind) => (
        <Route key={kind.name} path={kind.path}>
          <LabelPage key={kind.name} kind={kind} />
        </Route>
      ))}
      <Route path="/settings/webhooks" component={WebhooksPage} />
      <Route path="/settings/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
      <Route path="/settings/webhooks/:id/deliveries/:deliveryId">
        {({ id, deliveryId }) => <DeliveryPage key={deliveryId} webhookId={id} id={deliveryId} />}
      </Route>
      <Route component={WorkspacePage} />
    </Switch>
  )
}
