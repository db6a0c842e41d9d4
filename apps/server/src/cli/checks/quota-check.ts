import type { Quota, Storage, WorkspaceSize } from '@sales-crm/core/ports'
import type { Settings } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'

/** From this share of a limit on, the operator is warned. */
const NEARLY_FULL = 0.9
const MB = 1_000_000

/** Compares every workspace with its quota and describes the fullest. */
export async function checkQuota(
  storage: Pick<Storage, 'read'>,
  { quota }: Pick<Settings, 'quota'>,
): Promise<CheckResult> {
  const workspaces = await storage.read((tx) => tx.workspaces.find([]))
  let [fullest, fullestShare, fullCount] = ['', -1, 0]
  for (const { id, slug } of workspaces) {
    const size = await storage.read((tx) => tx.measureWorkspace(id))
    const records = Math.max(size.records, size.pendingDeliveries)
    const share = Math.max(records / quota.records, size.bytes / quota.bytes)
    if (share >= NEARLY_FULL) fullCount += 1
    if (share > fullestShare) [fullest, fullestShare] = [describe(slug, size, quota), share]
  }
  if (workspaces.length === 0) return ['ok', 'there is no workspace yet']
  if (fullCount === 0) return ['ok', `the fullest of ${workspaces.length} is ${fullest}`]
  return [
    'warn',
    `${fullCount} of ${workspaces.length} workspaces are full or nearly so. The fullest is ${fullest}. ` +
      'Raise QUOTA_RECORDS or QUOTA_MEGABYTES and restart, or ask its members to delete what they do not need.',
  ]
}

function describe(slug: string, { records, pendingDeliveries, bytes }: WorkspaceSize, quota: Quota): string {
  return `${slug}: ${records} records and ${pendingDeliveries} pending deliveries of ${limitText(quota.records)} each, ${Math.ceil(bytes / MB)} of ${limitText(quota.bytes / MB)} MB of files and long texts`
}

function limitText(limit: number): string {
  return limit === Infinity ? 'any number of' : String(limit)
}
