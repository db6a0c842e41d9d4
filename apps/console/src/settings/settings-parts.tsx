import type { ComponentType, VNode } from 'preact'
import { CustomFieldPage } from './custom-fields/custom-field-page.tsx'
import { CustomFieldsPage } from './custom-fields/custom-fields-page.tsx'
import { ImportsPage } from './imports/imports-page.tsx'
import { LABEL_KINDS, type LabelKind } from './labels/label.ts'
import { LabelPage } from './labels/label-page.tsx'
import { LostReasonsPage } from './lost-reasons/lost-reasons-page.tsx'
import { MembersPage } from './members/members-page.tsx'
import { PipelinePage } from './pipelines/pipeline-page.tsx'
import { PipelinesPage } from './pipelines/pipelines-page.tsx'
import { SETTINGS_PLACES, type SettingsPlace } from './settings-places.ts'
import { VisibilityPage } from './visibility/visibility-page.tsx'
import { DeliveryPage } from './webhooks/delivery-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

/** Renders a page from the parameters of its path. */
type RenderPage = (params: Readonly<Record<string, string | undefined>>) => VNode

export interface SettingsPart extends SettingsPlace, SettingsPages {}

interface SettingsPages {
  readonly page: ComponentType
  /** The pages below it, by their patterns. */
  readonly pagesBelow?: Readonly<Record<string, RenderPage>>
}

const PAGES: Readonly<Record<SettingsPlace['name'], SettingsPages>> = {
  workspace: { page: WorkspacePage },
  members: { page: MembersPage },
  visibility: { page: VisibilityPage },
  pipelines: {
    page: PipelinesPage,
    pagesBelow: { '/:id': ({ id = '' }) => <PipelinePage key={id} id={id} /> },
  },
  lostReasons: { page: LostReasonsPage },
  customFields: {
    page: CustomFieldsPage,
    pagesBelow: { '/:id': ({ id = '' }) => <CustomFieldPage key={id} id={id} /> },
  },
  taskTypes: labelPages('taskTypes'),
  tags: labelPages('tags'),
  lists: labelPages('lists'),
  imports: { page: ImportsPage },
  webhooks: {
    page: WebhooksPage,
    pagesBelow: {
      '/:id': ({ id = '' }) => <WebhookPage key={id} id={id} />,
      '/:webhookId/deliveries/:id': ({ webhookId = '', id = '' }) => (
        <DeliveryPage key={id} webhookId={webhookId} id={id} />
      ),
    },
  },
}

function labelPages(name: LabelKind['name']): SettingsPages {
  const kind = LABEL_KINDS.find((each) => each.name === name)!
  return { page: () => <LabelPage kind={kind} /> }
}

/** The parts of the settings with their pages, in the order of their navigation. */
export const SETTINGS_PARTS: readonly SettingsPart[] = SETTINGS_PLACES.map((place) => ({
  ...place,
  ...PAGES[place.name],
}))
