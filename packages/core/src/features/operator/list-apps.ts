import type { Ports } from '../../ports/index.ts'
import type { App } from '../../schema/app.ts'

/** A registered app, as `operator.allApps` returns it. Not active until its secret is issued. */
export type AppListItem = Pick<
  App,
  'name' | 'email' | 'active' | 'scopes' | 'redirect_uris' | 'created_at'
> & {
  readonly client_id: string
}

/** Lists the confidential apps in the order of registration. Public clients are left out. */
export async function listApps({ storage }: Pick<Ports, 'storage'>): Promise<AppListItem[]> {
  const apps = await storage.read((tx) => tx.apps.find([{ field: 'kind', is: 'confidential' }]))
  return apps.map(({ id, name, email, active, scopes, redirect_uris, created_at }) => {
    return { client_id: id, name, email, active, scopes, redirect_uris, created_at }
  })
}
