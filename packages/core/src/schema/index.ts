import type { Shape } from '../kernel/shape.ts'
import { type Activity, activities } from './activity.ts'
import { type App, appShape } from './app.ts'
import { type Attachment, attachments } from './attachment.ts'
import { type Authorization, authorizationShape } from './authorization.ts'
import { type AuthorizationCode, authorizationCodeShape } from './authorization-code.ts'
import { type BulkChange, type BulkPart, bulkChangeShape, bulkPartShape } from './bulk-change.ts'
import { type Company, companies } from './company.ts'
import { type CustomField, customFields } from './custom-field.ts'
import { type Deal, deals } from './deal.ts'
import { dealItems, type LineItem } from './deal-item.ts'
import { type DealOffer, dealOffers } from './deal-offer.ts'
import { findDeclarationError } from './declaration-error.ts'
import { type Delivery, deliveryShape } from './delivery.ts'
import { type Example, exampleShape } from './example.ts'
import { type Grant, grantShape } from './grant.ts'
import { type IdempotencyKey, idempotencyKeyShape } from './idempotency-key.ts'
import {
  type Import,
  type ImportChunk,
  type ImportPart,
  importChunkShape,
  importPartShape,
  importShape,
} from './import.ts'
import { type Invitation, invitationShape } from './invitation.ts'
import { type List, lists } from './list.ts'
import { type LostReason, lostReasons } from './lost-reason.ts'
import { type Member, members } from './member.ts'
import { type Notification, notifications } from './notification.ts'
import { type OneTimeLink, oneTimeLinkShape } from './one-time-link.ts'
import { type PersistentRateLimit, persistentRateLimitShape } from './persistent-rate-limit.ts'
import { type Person, people } from './person.ts'
import { type Pipeline, pipelines } from './pipeline.ts'
import { type Product, products } from './product.ts'
import { type QueuedMail, queuedMailShape } from './queued-mail.ts'
import { type Run, runShape } from './run.ts'
import { type SavedView, savedViews } from './saved-view.ts'
import { type Session, sessionShape } from './session.ts'
import { type SigningKey, signingKeyShape } from './signing-key.ts'
import { type Snapshot, snapshotShape } from './snapshot.ts'
import { type Stage, stages } from './stage.ts'
import { type StageMove, stageMoveShape } from './stage-move.ts'
import { fileShape, type StoredFile } from './stored-file.ts'
import { type Tag, tags } from './tag.ts'
import { type Target, targets } from './target.ts'
import { type Task, tasks } from './task.ts'
import { type TaskType, taskTypes } from './task-type.ts'
import { type Team, teams } from './team.ts'
import { type Timer, timerShape } from './timer.ts'
import { type UsageLog, usageLogShape } from './usage-log.ts'
import { type User, userShape } from './user.ts'
import { type Webhook, webhookShape } from './webhook.ts'
import { type Workspace, workspaceShape } from './workspace.ts'

/** The record type of each workspace collection. */
export interface Records {
  readonly activities: Activity
  readonly attachments: Attachment
  readonly bulk_parts: BulkPart
  readonly companies: Company
  readonly custom_fields: CustomField
  readonly deal_items: LineItem
  readonly deal_offers: DealOffer
  readonly deals: Deal
  readonly deliveries: Delivery
  readonly examples: Example
  readonly files: StoredFile
  readonly grants: Grant
  readonly import_chunks: ImportChunk
  readonly import_parts: ImportPart
  readonly lists: List
  readonly lost_reasons: LostReason
  readonly members: Member
  readonly notifications: Notification
  readonly people: Person
  readonly pipelines: Pipeline
  readonly products: Product
  readonly snapshots: Snapshot
  readonly stage_moves: StageMove
  readonly stages: Stage
  readonly tags: Tag
  readonly targets: Target
  readonly task_types: TaskType
  readonly tasks: Task
  readonly teams: Team
  readonly views: SavedView
  readonly webhooks: Webhook
}

/** The record type of each shared collection. */
export interface SharedRecords {
  readonly apps: App
  readonly authorizations: Authorization
  readonly authorization_codes: AuthorizationCode
  readonly bulk_changes: BulkChange
  readonly idempotency_keys: IdempotencyKey
  readonly imports: Import
  readonly invitations: Invitation
  readonly rate_limits: PersistentRateLimit
  readonly queued_mail: QueuedMail
  readonly one_time_links: OneTimeLink
  readonly runs: Run
  readonly sessions: Session
  readonly signing_keys: SigningKey
  readonly timers: Timer
  readonly usage_logs: UsageLog
  readonly users: User
  readonly workspaces: Workspace
}

/** The collections of a workspace. */
export type Collection = keyof Records

/** The collections that all workspaces share. */
export type SharedCollection = keyof SharedRecords

/** The collections whose records are shown, alone or as a part of others. */
export const KINDS = {
  activities,
  attachments,
  companies,
  custom_fields: customFields,
  deal_items: dealItems,
  deal_offers: dealOffers,
  deals,
  lists,
  lost_reasons: lostReasons,
  members,
  notifications,
  people,
  pipelines,
  products,
  stages,
  tags,
  targets,
  task_types: taskTypes,
  tasks,
  teams,
  views: savedViews,
} as const

export type KindName = keyof typeof KINDS

/** The kinds of records with an API of their own. */
export type ResourceName = {
  [K in KindName]: (typeof KINDS)[K] extends { readonly scopes: object } ? K : never
}[KindName]

/** The kinds whose records have ids in other systems. */
export type ExternalKind = {
  [K in ResourceName]: (typeof KINDS)[K]['fields'] extends { readonly external_ids: object } ? K : never
}[ResourceName]

/** The records that callers create one by one. Triggers of the SQL stores count them: a change needs a migration. */
export const COUNTED_COLLECTIONS = (Object.keys(KINDS) as readonly KindName[]).filter(
  (kind) => 'scopes' in KINDS[kind] || kind === 'deal_items' || kind === 'deal_offers',
)

/** The columns, unique fields and foreign keys of each workspace collection, for a storage adapter. */
export const SHAPES = {
  ...mapValues(KINDS, ({ shape }) => shape),
  bulk_parts: bulkPartShape,
  deliveries: deliveryShape,
  examples: exampleShape,
  files: fileShape,
  grants: grantShape,
  import_chunks: importChunkShape,
  import_parts: importPartShape,
  snapshots: snapshotShape,
  stage_moves: stageMoveShape,
  webhooks: webhookShape,
} as unknown as { readonly [C in Collection]: Shape<Records[C]> }

/** The columns and unique fields of each shared collection, for a storage adapter. */
export const SHARED_SHAPES: { readonly [C in SharedCollection]: Shape<SharedRecords[C]> } = {
  apps: appShape,
  authorizations: authorizationShape,
  authorization_codes: authorizationCodeShape,
  bulk_changes: bulkChangeShape,
  idempotency_keys: idempotencyKeyShape,
  imports: importShape,
  invitations: invitationShape,
  rate_limits: persistentRateLimitShape,
  queued_mail: queuedMailShape,
  one_time_links: oneTimeLinkShape,
  runs: runShape,
  sessions: sessionShape,
  signing_keys: signingKeyShape,
  timers: timerShape,
  usage_logs: usageLogShape,
  users: userShape,
  workspaces: workspaceShape,
}

function mapValues<T extends object, V>(
  values: T,
  map: (value: T[keyof T]) => V,
): { readonly [K in keyof T]: V } {
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, map(each)])) as {
    [K in keyof T]: V
  }
}

/**
 * The workspace collection of a name, such as that of a foreign key.
 * @throws TypeError if there is none
 */
export function toCollection(name: string): Collection {
  if (Object.hasOwn(SHAPES, name)) return name as Collection
  throw new TypeError(`There is no collection ${name}.`)
}

const declarationError = findDeclarationError(KINDS, SHAPES)
if (declarationError !== undefined) throw new TypeError(declarationError)
