import type { ComponentType, VNode } from 'preact'
import type { IconName } from '../ui/icons.tsx'
import { CustomFieldPage } from './custom-fields/custom-field-page.tsx'
import { CustomFieldsPage } from './custom-fields/custom-fields-page.tsx'
import { ImportsPage } from './imports/imports-page.tsx'
import { LABEL_KINDS } from './labels/label.ts'
import { LabelPage } from './labels/label-page.tsx'
import { MembersPage } from './members/members-page.tsx'
import { PipelinePage } from './pipelines/pipeline-page.tsx'
import { PipelinesPage } from './pipelines/pipelines-page.tsx'
import type { SettingsTexts } from './texts.ts'
import { VisibilityPage } from './visibility/visibility-page.tsx'
import { DeliveryPage } from './webhooks/delivery-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

/** Renders a page from the parameters of its path. */
type RenderPage = (params: Readonly<Record<string, string | undefined>>) => VNode

export interface SettingsPart {
  readonly path: string
  readonly icon: IconName
  readonly name: keyof SettingsTexts['parts']
  /** True if a member may change nothing in it. */
  readonly isForAdmins?: boolean
  readonly page: ComponentType
  /** The pages below it, by their patterns. */
  readonly pagesBelow?: Readonly<Record<string, RenderPage>>
}

/** The parts of the settings, in the order of their navigation. */
export const SETTINGS_PARTS: readonly SettingsPart[] = [
  { name: 'workspace', path: '/settings/workspace', icon: 'team', page: WorkspacePage },
  { name: 'members', path: '/settings/members', icon: 'person', page: MembersPage },
  {
    ...{ name: 'visibility', path: '/settings/visibility', icon: 'eye', isForAdmins: true },
    page: VisibilityPage,
  },
  {
    ...{ name: 'pipelines', path: '/settings/pipelines', icon: 'board', isForAdmins: true },
    ...{ page: PipelinesPage, pagesBelow: { '/:id': ({ id = '' }) => <PipelinePage key={id} id={id} /> } },
  },
  {
    ...{ name: 'customFields', path: '/settings/custom-fields', icon: 'fields', isForAdmins: true },
    ...{
      page: CustomFieldsPage,
      pagesBelow: { '/:id': ({ id = '' }) => <CustomFieldPage key={id} id={id} /> },
    },
  },
  ...LABEL_KINDS.map((kind) => ({ ...kind, page: () => <LabelPage kind={kind} /> })),
  { name: 'imports', path: '/settings/imports', icon: 'upload', page: ImportsPage },
  {
    ...{ name: 'webhooks', path: '/settings/webhooks', icon: 'hook', page: WebhooksPage },
    pagesBelow: {
      '/:id': ({ id = '' }) => <WebhookPage key={id} id={id} />,
      '/:webhookId/deliveries/:id': ({ webhookId = '', id = '' }) => (
        <DeliveryPage key={id} webhookId={webhookId} id={id} />
      ),
    },
  },
]
