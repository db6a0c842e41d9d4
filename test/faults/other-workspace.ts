import type { Crm } from '@sales-crm/core'
import type { FaultEnvironment, WorkspaceAccess } from './environment.ts'

/** Creates another workspace. */
export function createOtherWorkspace(
  { databaseUrl, withCore }: FaultEnvironment,
  slug = 'calm',
): Promise<WorkspaceAccess> {
  return withCore(async ({ crm }) => {
    const email = formatOwnerEmail(slug)
    await crm.operator.createWorkspace({ name: 'Calm', slug, owner_name: 'Carl', owner_email: email })
    const token = await createOwnerToken(crm, slug)
    const { workspaceId } = await crm.operator.actorFor({ workspace: slug, email })
    return { databaseUrl, token, workspaceId }
  })
}

/** Creates an app with every scope, and a token for it of the owner of a workspace that `createOtherWorkspace` created. */
export async function createOwnerToken({ operator }: Crm, slug: string): Promise<string> {
  const app = await operator.createApp({
    name: 'Calm',
    email: 'app@calm.example',
    redirect_uris: ['https://calm.example/back'],
    scopes: [...operator.scopes],
  })
  const token = await operator.createToken({
    workspace: slug,
    client_id: app.client_id,
    user_email: formatOwnerEmail(slug),
  })
  return token.access_token
}

function formatOwnerEmail(slug: string): string {
  return `carl@${slug}.example`
}
