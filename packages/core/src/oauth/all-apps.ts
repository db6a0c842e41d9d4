import type { Ports } from '../ports.ts'
import type { App } from './app.ts'

export type ListedApp = Pick<App, 'name' | 'email' | 'active' | 'scopes' | 'redirect_uris' | 'created_at'> & { readonly client_id: string }

/** Those that people registered, in the order they did; programs are not among them. */
export async function allApps({ storage }: Pick<Ports, 'storage'>): Promise<ListedApp[]> {
  const apps = await storage.read((tx) => tx.apps.find([{ field: 'kind', is: 'confidential' }]))
  return apps.map(({ id, name, email, active, scopes, redirect_uris, created_at }) => {
    return { client_id: id, name, email, active, scopes, redirect_uris, created_at }
  })
}
