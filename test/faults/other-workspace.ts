import type { FaultEnvironment, WorkspaceAccess } from './environment.ts'

/** Creates another workspace. */
export function createOtherWorkspace(
  { databaseUrl, withCore }: FaultEnvironment,
  slug = 'calm',
): Promise<WorkspaceAccess> {
  return withCore(async ({ crm: { operator } }) => {
    const email = `carl@${slug}.example`
    await operator.createWorkspace({ name: 'Calm', slug, owner_name: 'Carl', owner_email: email })
    const scopes = [...operator.scopes]
    const app = await operator.createApp({
      name: 'Calm',
      email: 'app@calm.example',
      redirect_uris: ['https://calm.example/back'],
      scopes,
    })
    const { access_token: token } = await operator.createToken({
      workspace: slug,
      client_id: app.client_id,
      user_email: email,
    })
    const { workspaceId } = await operator.actorFor({ workspace: slug, email })
    return { databaseUrl, token, workspaceId }
  })
}
