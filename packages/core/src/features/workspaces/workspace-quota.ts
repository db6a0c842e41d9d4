import { CrmError } from '../../kernel/errors.ts'
import type { Quota, WorkspaceSize } from '../../kernel/workspace-size.ts'
import type { Ports } from '../../ports/index.ts'

export const NO_QUOTA: Quota = { records: Infinity, bytes: Infinity }

/** A write that is about to begin: the argument of `crm.workspace.enforceQuota`. */
export interface IntendedWrite {
  /** A `create` adds a record. */
  readonly kind: 'create' | 'update'
  /** Length of the request's body: an upper bound of the texts and files that it adds. */
  readonly bytes: number
}

/** Other processes add to a workspace meanwhile, so a quota may be exceeded by what they add in this time. */
const MAX_AGE_MS = 10_000
/** A full workspace is measured more often, so that a deletion soon makes room. */
const MIN_AGE_MS = 1000
/** Number of workspaces whose size is remembered. */
const MAX_MEASUREMENTS = 10_000

/** Grows by what the calls since the measurement may add. */
type MeasuredSize = { -readonly [Part in keyof WorkspaceSize]: number }

interface Measurement {
  readonly at: number
  readonly size: Promise<MeasuredSize>
}

/**
 * Refuses writes to full workspaces. It remembers sizes for some seconds, so that the usual call costs no
 * statement.
 */
export class WorkspaceQuota {
  readonly #ports: Pick<Ports, 'storage' | 'now'>
  readonly #quota: Quota
  /** By workspace, the least recent first. */
  readonly #measurements = new Map<string, Measurement>()

  constructor({ storage, now, quota = NO_QUOTA }: Pick<Ports, 'storage' | 'now' | 'quota'>) {
    this.#ports = { storage, now }
    this.#quota = quota
  }

  /**
   * Call it before the body of a write is read.
   * @throws CrmError `forbidden`
   */
  async enforceQuota(workspaceId: string, write: IntendedWrite): Promise<void> {
    if (this.#quota === NO_QUOTA) return
    let size = await this.#measure(workspaceId, MAX_AGE_MS)
    if (findQuotaProblem(size, write, this.#quota) !== undefined)
      size = await this.#measure(workspaceId, MIN_AGE_MS)
    const problem = findQuotaProblem(size, write, this.#quota)
    if (problem !== undefined)
      throw new CrmError('forbidden', problem, undefined, { reason: 'workspace_full' })
    size.bytes += write.bytes
    if (write.kind === 'create') size.records += 1
  }

  /**
   * Returns for how many records there is room, measured anew if there seem to be fewer than `wanted`. It is for a writer that
   * knows only in its transaction, in which nothing else may be read, how many records it creates.
   */
  async measureRoom(workspaceId: string, wanted: number): Promise<number> {
    if (this.#quota === NO_QUOTA) return Infinity
    const toRoom = ({ records }: WorkspaceSize) => this.#quota.records - records
    const room = toRoom(await this.#measure(workspaceId, MAX_AGE_MS))
    return room >= wanted ? room : toRoom(await this.#measure(workspaceId, MIN_AGE_MS))
  }

  /** Counts records that were created in the room of `measureRoom`. */
  async addRecords(workspaceId: string, count: number): Promise<void> {
    if (this.#quota === NO_QUOTA || count === 0) return
    const size = await this.#measurements.get(workspaceId)?.size
    if (size) size.records += count
  }

  /** Why records are refused for which there is no room. */
  get recordsProblem(): string {
    return describeFullRecords(this.#quota)
  }

  async #measure(workspaceId: string, maxAgeMs: number): Promise<MeasuredSize> {
    const now = Date.parse(this.#ports.now())
    const last = this.#measurements.get(workspaceId)
    // The age is negative after the clock was set back.
    if (last && Math.abs(now - last.at) < maxAgeMs) return last.size
    const size = this.#ports.storage.read(async (tx) => ({ ...(await tx.measureWorkspace(workspaceId)) }), {
      isolation: 'statement',
    })
    this.#remember(workspaceId, { at: now, size })
    return size
  }

  #remember(workspaceId: string, measurement: Measurement): void {
    this.#measurements.delete(workspaceId)
    this.#measurements.set(workspaceId, measurement)
    measurement.size.catch(() => this.#measurements.delete(workspaceId))
    const [leastRecent] = this.#measurements.keys()
    if (this.#measurements.size > MAX_MEASUREMENTS) this.#measurements.delete(leastRecent!)
  }
}

const REMEDY = 'or ask the operator of this service for more.'

/** Returns why the quota forbids a write. Deletions are always allowed: they make room. */
export function findQuotaProblem(
  { records, pendingDeliveries, bytes }: WorkspaceSize,
  write: IntendedWrite,
  quota: Quota,
): string | undefined {
  if (write.kind === 'create' && records >= quota.records) return describeFullRecords(quota)
  if (pendingDeliveries >= quota.records)
    return `The workspace is full: ${quota.records} deliveries may be pending. Delete webhooks that do not respond, ${REMEDY}`
  if (bytes + Math.max(write.bytes, 1) > quota.bytes)
    return `The workspace is full: it may hold ${quota.bytes} bytes of files and long texts. Delete activities with attachments, ${REMEDY}`
  return undefined
}

function describeFullRecords({ records }: Quota): string {
  return `The workspace is full: it may hold ${records} records. Delete some, ${REMEDY}`
}
