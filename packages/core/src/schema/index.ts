import type { User } from '../features/accounts/user.ts'
import { userShape } from '../features/accounts/user.ts'
import type { Activity } from '../features/activities/activity.ts'
import { activityShape } from '../features/activities/activity.ts'
import type { Attachment } from '../features/activities/attachment.ts'
import { attachmentShape } from '../features/activities/attachment.ts'
import type { Company } from '../features/companies/company.ts'
import { companyShape } from '../features/companies/company.ts'
import type { CustomField } from '../features/custom-fields/custom-field.ts'
import { customFieldShape } from '../features/custom-fields/custom-field.ts'
import type { Deal } from '../features/deals/deal.ts'
import { dealShape } from '../features/deals/deal.ts'
import type { StageMove } from '../features/deals/stage-move.ts'
import { stageMoveShape } from '../features/deals/stage-move.ts'
import type { StoredFile } from '../features/files/stored-file.ts'
import { fileShape } from '../features/files/stored-file.ts'
import type { List } from '../features/lists/list.ts'
import { listShape } from '../features/lists/list.ts'
import type { Invitation } from '../features/members/invitation.ts'
import { invitationShape } from '../features/members/invitation.ts'
import type { Member } from '../features/members/member.ts'
import { memberShape } from '../features/members/member.ts'
import type { App } from '../features/oauth/server/app.ts'
import { appShape } from '../features/oauth/server/app.ts'
import type { Person } from '../features/people/person.ts'
import { personShape } from '../features/people/person.ts'
import type { Pipeline, Stage } from '../features/pipelines/pipeline.ts'
import { pipelineShape, stageShape } from '../features/pipelines/pipeline.ts'
import type { Product } from '../features/products/product.ts'
import { productShape } from '../features/products/product.ts'
import type { Tag } from '../features/tags/tag.ts'
import { tagShape } from '../features/tags/tag.ts'
import type { TaskType } from '../features/task-types/task-type.ts'
import { taskTypeShape } from '../features/task-types/task-type.ts'
import type { Task } from '../features/tasks/task.ts'
import { taskShape } from '../features/tasks/task.ts'
import type { Snapshot } from '../features/webhooks/snapshot.ts'
import { snapshotShape } from '../features/webhooks/snapshot.ts'
import type { Webhook } from '../features/webhooks/webhook.ts'
import { webhookShape } from '../features/webhooks/webhook.ts'
import type { Workspace } from '../features/workspaces/workspace.ts'
import { workspaceShape } from '../features/workspaces/workspace.ts'
import type { RecordBase } from '../ports/index.ts'
import type { Authorization } from './authorization.ts'
import { authorizationShape } from './authorization.ts'
import type { AuthorizationCode } from './authorization-code.ts'
import { authorizationCodeShape } from './authorization-code.ts'
import type { Delivery } from './delivery.ts'
import { deliveryShape } from './delivery.ts'
import type { Grant } from './grant.ts'
import { grantShape } from './grant.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import { idempotencyKeyShape } from './idempotency-key.ts'
import type { OneTimeLink } from './one-time-link.ts'
import { oneTimeLinkShape } from './one-time-link.ts'
import type { PersistentRateLimit } from './persistent-rate-limit.ts'
import { persistentRateLimitShape } from './persistent-rate-limit.ts'
import type { QueuedMail } from './queued-mail.ts'
import { queuedMailShape } from './queued-mail.ts'
import type { Session } from './session.ts'
import { sessionShape } from './session.ts'
import type { SigningKey } from './signing-key.ts'
import { signingKeyShape } from './signing-key.ts'
import type { UsageLog } from './usage-log.ts'
import { usageLogShape } from './usage-log.ts'

/** The collections of a workspace. */
export interface Records {
  readonly activities: Activity
  readonly attachments: Attachment
  readonly companies: Company
  readonly custom_fields: CustomField
  readonly deals: Deal
  readonly deliveries: Delivery
  readonly files: StoredFile
  readonly grants: Grant
  readonly lists: List
  readonly members: Member
  readonly people: Person
  readonly pipelines: Pipeline
  readonly products: Product
  readonly snapshots: Snapshot
  readonly stage_moves: StageMove
  readonly stages: Stage
  readonly tags: Tag
  readonly task_types: TaskType
  readonly tasks: Task
  readonly webhooks: Webhook
}

/** The collections that stand above workspaces. */
export interface SharedRecords {
  readonly apps: App
  readonly authorizations: Authorization
  readonly codes: AuthorizationCode
  readonly idempotency_keys: IdempotencyKey
  readonly invitations: Invitation
  readonly lasting_windows: PersistentRateLimit
  readonly letters: QueuedMail
  readonly links: OneTimeLink
  readonly sessions: Session
  readonly signing_keys: SigningKey
  readonly usage_logs: UsageLog
  readonly users: User
  readonly workspaces: Workspace
}

export type Collection = keyof Records
export type SharedCollection = keyof SharedRecords

/**
 * `uuid` holds a lower-case UUID, `json` any JSON value, kept as it is. Text, in JSON too, is any Unicode but U+0000 and lone
 * surrogates. `words` is text that records are found by: words of lower-case letters, digits and underscores, none over 200
 * characters, with one space between them, or nothing. -0 may come back as 0.
 */
export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean' | 'instant' | 'json' | 'words'

/** A column as a shape declares it: with a question mark it may be null. A store need not refuse null where it may not be. */
export type ColumnDeclaration = ColumnKind | `${ColumnKind}?`

export function parseColumn(declaration: ColumnDeclaration): {
  readonly kind: ColumnKind
  readonly nullable: boolean
} {
  const nullable = declaration.endsWith('?')
  return { kind: (nullable ? declaration.slice(0, -1) : declaration) as ColumnKind, nullable }
}

/** What a store needs to know of a collection besides its name. */
export interface Shape<R extends RecordBase> {
  /** Every field but `id` (`uuid`), `created_at` (`instant`) and `updated_at` (`instant?`). */
  readonly columns: {
    readonly [F in Exclude<keyof R, keyof RecordBase> & string]: null extends R[F]
      ? `${ColumnKind}?`
      : ColumnKind
  }
  /** Fields whose value (other than null) no two live records hold at once, in one workspace for workspace collections. */
  readonly unique: readonly (keyof R & string)[]
  /** As `unique`, but no two records hold it at once, deleted ones included. What a live record gives up is free again. */
  readonly uniqueForever: readonly (keyof R & string)[]
  /**
   * Fields that hold the id of a record of the same workspace, live or deleted, that an earlier call wrote; null refers to
   * nothing. A store refuses, with any error, a row that points elsewhere.
   */
  readonly foreignKeys: { readonly [F in keyof R & string]?: Collection }
}

/** A shape to a store that knows fields by name alone. */
export interface AnyShape {
  readonly columns: Readonly<Record<string, ColumnDeclaration>>
  readonly unique: readonly string[]
  readonly uniqueForever: readonly string[]
  readonly foreignKeys: Readonly<Record<string, Collection>>
}

export const SHAPES: { readonly [C in Collection]: Shape<Records[C]> } = {
  activities: activityShape,
  attachments: attachmentShape,
  companies: companyShape,
  custom_fields: customFieldShape,
  deals: dealShape,
  deliveries: deliveryShape,
  files: fileShape,
  grants: grantShape,
  lists: listShape,
  members: memberShape,
  people: personShape,
  pipelines: pipelineShape,
  products: productShape,
  snapshots: snapshotShape,
  stage_moves: stageMoveShape,
  stages: stageShape,
  tags: tagShape,
  task_types: taskTypeShape,
  tasks: taskShape,
  webhooks: webhookShape,
}

export const SHARED_SHAPES: { readonly [C in SharedCollection]: Shape<SharedRecords[C]> } = {
  apps: appShape,
  authorizations: authorizationShape,
  codes: authorizationCodeShape,
  idempotency_keys: idempotencyKeyShape,
  invitations: invitationShape,
  lasting_windows: persistentRateLimitShape,
  letters: queuedMailShape,
  links: oneTimeLinkShape,
  sessions: sessionShape,
  signing_keys: signingKeyShape,
  usage_logs: usageLogShape,
  users: userShape,
  workspaces: workspaceShape,
}
