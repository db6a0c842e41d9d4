import { loadViewer } from '../../engine/load-viewer.ts'
import { collectIds } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import { mergeViewers, seesEveryone, type Viewer } from '../../kernel/visibility.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Webhook } from '../../schema/webhook.ts'

/**
 * Returns the webhooks that may hear of changes. Those of an app need a live grant of the app; those of the console
 * need a creator who is owner or admin. Webhooks of an embedding program or of the workspace itself need nothing.
 */
export async function filterByAccess(
  webhooks: readonly Webhook[],
  { stores }: Pick<WorkspaceTransaction, 'stores'>,
): Promise<readonly Webhook[]> {
  const [appsWithoutGrant, managers] = await Promise.all([
    findAppsWithoutGrant(webhooks, stores),
    findManagers(webhooks, stores),
  ])
  return webhooks.filter(({ client_id, creator_user_id }) => {
    if (client_id === CONSOLE_CLIENT_ID) return creator_user_id !== null && managers.has(creator_user_id)
    return client_id === null || !appsWithoutGrant.has(client_id)
  })
}

async function findAppsWithoutGrant(
  webhooks: readonly Webhook[],
  stores: WorkspaceStores,
): Promise<ReadonlySet<string>> {
  const apps = [
    ...new Set(
      webhooks.flatMap(({ client_id }) => (client_id !== null && needsGrant(client_id) ? [client_id] : [])),
    ),
  ]
  const haveGrant = await Promise.all(
    apps.map((client_id) =>
      stores.grants.has([
        { field: 'client_id', is: client_id },
        { field: 'revoked_at', is: null },
      ]),
    ),
  )
  return new Set(apps.filter((_, index) => !haveGrant[index]))
}

/** The creators of webhooks of the console who are owners or admins. */
async function findManagers(
  webhooks: readonly Webhook[],
  { members }: WorkspaceStores,
): Promise<ReadonlySet<string>> {
  const ofConsole = webhooks.filter(({ client_id }) => client_id === CONSOLE_CLIENT_ID)
  const creators = await members.getMany(collectIds(ofConsole, 'creator_user_id'))
  return new Set(
    creators.filter(({ role, removed_at }) => removed_at === null && role !== 'member').map(({ id }) => id),
  )
}

function needsGrant(clientId: string): boolean {
  return isUuid(clientId) && clientId !== CONSOLE_CLIENT_ID
}

/**
 * Loads what decides which records the webhooks hear of; undefined for all. An app hears of what the members see who have
 * let it in; webhooks of the console and of an embedding program hear of everything. The webhooks may hear of changes.
 */
export async function loadAudiences(
  webhooks: readonly Webhook[],
  { service }: WorkspaceTransaction,
): Promise<(webhook: Webhook) => Viewer | undefined> {
  const workspace = await service.shared.workspaces.get(service.workspaceId)
  if (!workspace || seesEveryone(workspace.visibility)) return () => undefined
  const apps = new Set(
    webhooks.map(({ client_id }) => client_id).filter((id) => id !== null && needsGrant(id)),
  )
  const viewers = new Map<string | null, Viewer | undefined>()
  for (const client_id of apps)
    viewers.set(client_id, mergeViewers(workspace.visibility, await loadViewers(client_id!, service)))
  return ({ client_id }) => viewers.get(client_id)
}

/** What decides what each of the members sees who have let an app in. */
async function loadViewers(
  clientId: string,
  service: WorkspaceTransaction,
): Promise<readonly (Viewer | undefined)[]> {
  const grants = await service.stores.grants.find([
    { field: 'client_id', is: clientId },
    { field: 'revoked_at', is: null },
  ])
  return Promise.all(collectIds(grants, 'user_id').map((userId) => loadViewer(userId, service)))
}
