import type { Crm } from '@sales-crm/core'
import type { FaultEnvironment, WorkspaceAccess } from './environment.ts'

/** Creates another workspace. */
export function createOtherWorkspace(
  { databaseUrl, withCore }: FaultEnvironment,
  slug = 'calm',
): Promise<WorkspaceAccess> {
  return withCore(async ({ crm }) => {
    const email = `carl@${slug}.example`
    await crm.operator.createWorkspace({ name: 'Calm', slug, owner_name: 'Carl', owner_email: email })
    const token = await createOwnerToken(crm, slug, email)
    const { workspaceId } = await crm.operator.actorFor({ workspace: slug, email })
    return { databaseUrl, token, workspaceId }
  })
}

/** Creates an app with every scope, and a token of the owner for it. */
export async function createOwnerToken({ operator }: Crm, slug: string, email: string): Promise<string> {
  const app = await operator.createApp({
    name: 'Calm',
    email: 'app@calm.example',
    redirect_uris: ['https://calm.example/back'],
    scopes: [...operator.scopes],
  })
  const token = await operator.createToken({
    workspace: slug,
    client_id: app.client_id,
    user_email: email,
  })
  return token.access_token
}
