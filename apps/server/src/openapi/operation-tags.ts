import { KINDS, RESOURCES } from '@sales-crm/core/declarations'

type Kind = keyof typeof RESOURCES

/** Tags of the operations with their descriptions, in display order. */
export const OPERATION_TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (Object.keys(RESOURCES) as Kind[]).map((kind) => [tagOfKind(kind), KINDS[kind].texts.about]),
  ),
  Reports: 'Counts, sums and forecasts over many records.',
  Members: 'Members of the workspace.',
  Workspace: 'The workspace of the token.',
  Webhooks: 'Subscriptions to events, and their deliveries.',
  Events: 'Requests that the service sends to the URL of a webhook.',
  OAuth: 'App registration, user consent and tokens.',
  Files: 'Images and attachments.',
  Service: 'Health checks and this document.',
}

/** `Task types` */
export function tagOfKind(kind: Kind): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`
}
