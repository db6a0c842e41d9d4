import { KINDS, RESOURCES } from '@sales-crm/core/declarations'

type Kind = keyof typeof RESOURCES

/** `Task types`, of `task_types`. */
type TagOf<K extends string> = K extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>} ${Rest}`
  : Capitalize<K>

const OTHER_TAGS = {
  Reports: 'Counts, sums and forecasts over many records.',
  'Bulk changes': 'Changes of all records that match, in the background.',
  Imports: 'Files whose rows become records, in the background.',
  Notifications: 'What members are told: reminders, mentions, changes of records that they follow.',
  Members: 'Members of the workspace.',
  Workspace: 'The workspace of the token.',
  Webhooks: 'Subscriptions to events, and their deliveries.',
  Events: 'Requests that the service sends to the URL of a webhook.',
  OAuth: 'App registration, user consent and tokens.',
  Files: 'Images and attachments.',
  Service: 'Health checks and this document.',
} as const

export type OperationTag = TagOf<Kind> | keyof typeof OTHER_TAGS

/** Tags of the operations with their descriptions, in display order: the kinds of records, and the others. */
export const OPERATION_TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (Object.keys(RESOURCES) as Kind[]).map((kind) => [tagOfKind(kind), KINDS[kind].texts.about]),
  ),
  ...OTHER_TAGS,
}

export function tagOfKind(kind: Kind): TagOf<Kind> {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}` as TagOf<Kind>
}
