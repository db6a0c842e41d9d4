import type { Link } from './accounts/link.ts'
import { linkShape } from './accounts/link.ts'
import type { Session } from './accounts/session.ts'
import { sessionShape } from './accounts/session.ts'
import type { User } from './accounts/user.ts'
import { userShape } from './accounts/user.ts'
import type { Activity } from './activities/activity.ts'
import { activityShape } from './activities/activity.ts'
import type { Attachment } from './activities/attachment.ts'
import { attachmentShape } from './activities/attachment.ts'
import type { Company } from './companies/company.ts'
import { companyShape } from './companies/company.ts'
import type { CustomField } from './custom-fields/custom-field.ts'
import { customFieldShape } from './custom-fields/custom-field.ts'
import type { Deal } from './deals/deal.ts'
import { dealShape } from './deals/deal.ts'
import type { StageMove } from './deals/stage-move.ts'
import { stageMoveShape } from './deals/stage-move.ts'
import type { StoredFile } from './files/stored-file.ts'
import { fileShape } from './files/stored-file.ts'
import type { IdempotencyKey } from './idempotency/idempotency-key.ts'
import { idempotencyKeyShape } from './idempotency/idempotency-key.ts'
import type { StoredLetter } from './letters/stored-letter.ts'
import { letterShape } from './letters/stored-letter.ts'
import type { LastingWindow } from './limits/lasting-window.ts'
import { lastingWindowShape } from './limits/lasting-window.ts'
import type { List } from './lists/list.ts'
import { listShape } from './lists/list.ts'
import type { Invitation } from './members/invitation.ts'
import { invitationShape } from './members/invitation.ts'
import type { Member } from './members/member.ts'
import { memberShape } from './members/member.ts'
import type { App } from './oauth/app.ts'
import { appShape } from './oauth/app.ts'
import type { Authorization } from './oauth/authorization.ts'
import { authorizationShape } from './oauth/authorization.ts'
import type { Code } from './oauth/code.ts'
import { codeShape } from './oauth/code.ts'
import type { Grant } from './oauth/grant.ts'
import { grantShape } from './oauth/grant.ts'
import type { SigningKey } from './oauth/signing-key.ts'
import { signingKeyShape } from './oauth/signing-key.ts'
import type { Person } from './people/person.ts'
import { personShape } from './people/person.ts'
import type { Pipeline, Stage } from './pipelines/pipeline.ts'
import { pipelineShape, stageShape } from './pipelines/pipeline.ts'
import type { RecordBase } from './ports.ts'
import type { Product } from './products/product.ts'
import { productShape } from './products/product.ts'
import type { Tag } from './tags/tag.ts'
import { tagShape } from './tags/tag.ts'
import type { TaskType } from './task-types/task-type.ts'
import { taskTypeShape } from './task-types/task-type.ts'
import type { Task } from './tasks/task.ts'
import { taskShape } from './tasks/task.ts'
import type { UsageLog } from './usage/usage-log.ts'
import { usageLogShape } from './usage/usage-log.ts'
import type { Delivery } from './webhooks/delivery.ts'
import { deliveryShape } from './webhooks/delivery.ts'
import type { Snapshot } from './webhooks/snapshot.ts'
import { snapshotShape } from './webhooks/snapshot.ts'
import type { Webhook } from './webhooks/webhook.ts'
import { webhookShape } from './webhooks/webhook.ts'
import type { Workspace } from './workspaces/workspace.ts'
import { workspaceShape } from './workspaces/workspace.ts'

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
export interface Shared {
  readonly apps: App
  readonly authorizations: Authorization
  readonly codes: Code
  readonly idempotency_keys: IdempotencyKey
  readonly invitations: Invitation
  readonly lasting_windows: LastingWindow
  readonly letters: StoredLetter
  readonly links: Link
  readonly sessions: Session
  readonly signing_keys: SigningKey
  readonly usage_logs: UsageLog
  readonly users: User
  readonly workspaces: Workspace
}

export type Collection = keyof Records
export type SharedCollection = keyof Shared

/**
 * `uuid` holds a lower-case UUID, `json` any JSON value, kept as it is. Text, in JSON too, is any Unicode but U+0000 and lone
 * surrogates. `words` is text that records are found by: words of lower-case letters, digits and underscores, none over 200
 * characters, with one space between them, or nothing. -0 may come back as 0.
 */
export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean' | 'instant' | 'json' | 'words'

/** A column as a shape declares it: with a question mark it may be null. A store need not refuse null where it may not be. */
export type DeclaredColumn = ColumnKind | `${ColumnKind}?`

export function columnOf(declared: DeclaredColumn): { readonly kind: ColumnKind; readonly nullable: boolean } {
  const nullable = declared.endsWith('?')
  return { kind: (nullable ? declared.slice(0, -1) : declared) as ColumnKind, nullable }
}

/** What a store needs to know of a collection besides its name. */
export interface Shape<R extends RecordBase> {
  /** Every field but `id` (`uuid`), `created_at` (`instant`) and `updated_at` (`instant?`). */
  readonly columns: { readonly [F in Exclude<keyof R, keyof RecordBase> & string]: null extends R[F] ? `${ColumnKind}?` : ColumnKind }
  /** Fields whose value (other than null) no two live records hold at once, in one workspace for workspace collections. */
  readonly unique: readonly (keyof R & string)[]
  /** As `unique`, but no two records hold it at once, deleted ones included. What a live record gives up is free again. */
  readonly neverReused: readonly (keyof R & string)[]
  /**
   * Fields that hold the id of a record of the same workspace, live or deleted, that an earlier call wrote; null refers to
   * nothing. A store refuses, with any error, a row that points elsewhere.
   */
  readonly refersTo: { readonly [F in keyof R & string]?: Collection }
}

/** A shape to a store that knows fields by name alone. */
export interface AnyShape {
  readonly columns: Readonly<Record<string, DeclaredColumn>>
  readonly unique: readonly string[]
  readonly neverReused: readonly string[]
  readonly refersTo: Readonly<Record<string, Collection>>
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

export const SHARED_SHAPES: { readonly [C in SharedCollection]: Shape<Shared[C]> } = {
  apps: appShape,
  authorizations: authorizationShape,
  codes: codeShape,
  idempotency_keys: idempotencyKeyShape,
  invitations: invitationShape,
  lasting_windows: lastingWindowShape,
  letters: letterShape,
  links: linkShape,
  sessions: sessionShape,
  signing_keys: signingKeyShape,
  usage_logs: usageLogShape,
  users: userShape,
  workspaces: workspaceShape,
}
