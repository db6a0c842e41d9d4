import { type CrmClient, createClient, type Workspace } from '@sales-crm/client'
import type { ConsoleMember } from '../app/console-context.ts'
import { ConsoleSession } from './console-session.ts'
import { createDownload, type Download } from './download.ts'
import { loadViewer } from './load-viewer.ts'
import { BASE_PATH } from './page-settings.ts'
import { saveReturnPath } from './return-path.ts'

export interface OpenWorkspace {
  readonly crm: CrmClient
  readonly download: Download
  readonly me: ConsoleMember
  readonly workspace: Workspace
}

/**
 * Opens the workspace of a slug, or by default the one that was open last.
 * @param prefetch reads what most pages need, at the same time as the member and the workspace
 * @returns undefined if the member belongs to none of that slug
 */
export async function openWorkspace(
  slug: string | undefined,
  prefetch: (crm: CrmClient) => Promise<void>,
): Promise<OpenWorkspace | undefined> {
  const session = new ConsoleSession(BASE_PATH, signInAgain)
  const wanted = slug ?? localStorage.getItem(LAST_SLUG) ?? undefined
  const first = await session.open()
  // The pages of the account have no script: a sign-out there is noticed when this tab is looked at again.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') session.check().catch(() => {})
  })
  const crm = createClient({
    url: BASE_PATH || '/',
    token: session.getToken,
    fetch: session.fetch,
    maxRetries: 2,
    // The pages say at once that the service cannot be reached, and changes wait until it is back.
    maxOutageMs: 0,
    maxWriteOutageMs: MAX_WRITE_OUTAGE_MS,
  })
  if (wanted !== undefined && wanted !== first.slug) {
    const { workspaces } = await crm.me.get()
    const other = workspaces.find((each) => each.slug === wanted)
    if (other) await session.open(other.id)
    else if (slug !== undefined) return undefined
  }
  const [me, workspace] = await Promise.all([crm.me.get(), crm.workspace.get(), prefetch(crm)])
  localStorage.setItem(LAST_SLUG, workspace.slug)
  const viewer = await loadViewer(crm, me, workspace)
  return { crm, download: createDownload(session), me: { ...me, viewer }, workspace }
}

const MAX_WRITE_OUTAGE_MS = 600_000

const LAST_SLUG = 'console.workspace'

/** What is written stays in the drafts of the browser. */
function signInAgain(): void {
  saveReturnPath()
  location.assign(`${BASE_PATH}/sign-in`)
}
