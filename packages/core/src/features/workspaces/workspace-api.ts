import { type Versioned, versionOf, type WriteConditions } from '../../engine/record-version.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import { type SenderView, toSenderView } from './sender.ts'
import { findTimeZoneChange, type TimeZoneChange } from './time-zone-change.ts'
import { updateWorkspace, type WorkspaceChanges } from './update-workspace.ts'
import { toWorkspaceView, type WorkspaceView } from './workspace.ts'
import { type IntendedWrite, NO_QUOTA, WorkspaceQuota } from './workspace-quota.ts'

/** The actor's workspace, as `crm.workspace.get` returns it. */
export interface WorkspaceDetail extends WorkspaceView {
  /** Who makes its offers; null until it is set. */
  readonly sender: SenderView | null
  /** The size of the workspace and its quota. A maximum is null if there is none. */
  readonly storage: {
    /** Live records that callers create one by one, such as people and tasks. */
    readonly records: number
    readonly max_records: number | null
    /** Bytes of files and long texts, including those of deleted records. */
    readonly bytes: number
    readonly max_bytes: number | null
  }
  /** Number of example records that `removeExamples` takes out again. */
  readonly examples: number
  /** How far whole days have moved with a new time zone; null if it did not change within a month. */
  readonly time_zone_change: TimeZoneChange | null
}

/** The actor's workspace. */
export interface WorkspaceApi {
  /** Returns the actor's workspace. Requires no scope. @throws CrmError `not_found` */
  get(actor: Actor): Promise<WorkspaceDetail>
  /** As `get`, with the version of the workspace: of its settings, not of what it holds. */
  getVersioned(actor: Actor): Promise<Versioned<WorkspaceDetail>>
  /**
   * Changes settings of the workspace, for an owner with the scope `workspace:manage`. Stored amounts are not
   * converted: a new currency is the default of deals made from then on. With the time zone, open tasks and deals whose
   * date is a whole day move to the same day in the new one, in the background, each with its `updated` event.
   * @throws CrmError `insufficient_scope`, `validation_error`, `bad_request`, `forbidden`, `precondition_failed` for
   * another version
   */
  update(actor: Actor, changes: WorkspaceChanges, conditions?: WriteConditions): Promise<WorkspaceDetail>
  /**
   * Refuses a write to a full workspace. Call it before the body is read.
   * @throws CrmError `forbidden`
   */
  enforceQuota(actor: Actor, write: IntendedWrite): Promise<void>
}

export function workspaceApi(
  ports: Pick<Ports, 'storage' | 'now' | 'newId' | 'secrets' | 'quota' | 'random' | 'files' | 'issuer'>,
): WorkspaceApi {
  const { quota = NO_QUOTA } = ports
  const workspaceQuota = new WorkspaceQuota(ports)

  async function loadWorkspace({ workspaceId }: Actor): Promise<Versioned<WorkspaceDetail>> {
    const [workspace, { records, bytes }, examples, time_zone_change = null] = await ports.storage.read(
      (tx) =>
        Promise.all([
          tx.workspaces.get(workspaceId),
          tx.measureWorkspace(workspaceId),
          tx.workspace(workspaceId).examples.find([]),
          findTimeZoneChange(asService(tx, workspaceId)),
        ]),
    )
    if (!workspace) throw notFound('Workspace')
    const [max_records, max_bytes] = [toNullable(quota.records), toNullable(quota.bytes)]
    const storage = { records, max_records, bytes, max_bytes }
    const sender = workspace.sender && toSenderView(workspace.sender, ports.issuer, workspaceId)
    const data = {
      ...toWorkspaceView(workspace),
      sender,
      storage,
      examples: examples.length,
      time_zone_change,
    }
    return { data, version: versionOf(workspace, ports) }
  }

  return {
    get: async (actor) => (await loadWorkspace(actor)).data,
    getVersioned: loadWorkspace,
    async update(actor, changes, conditions) {
      await updateWorkspace(ports, actor, changes, conditions)
      return (await loadWorkspace(actor)).data
    },
    enforceQuota: ({ workspaceId }, write) => workspaceQuota.enforceQuota(workspaceId, write),
  }
}

function toNullable(limit: number): number | null {
  return limit === Infinity ? null : limit
}
