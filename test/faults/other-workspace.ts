import type { FaultEnvironment } from './environment.ts'

/** Creates another workspace and returns an access token for it. */
export function createOtherToken({ withCore }: FaultEnvironment): Promise<string> {
  return withCore(async ({ crm: { operator } }) => {
    const [slug, email] = ['calm', 'carl@calm.example']
    await operator.createWorkspace({ name: 'Calm', slug, owner_name: 'Carl', owner_email: email })
    const scopes = [...operator.scopes]
    const app = await operator.createApp({
      name: 'Calm',
      email: 'app@calm.example',
      redirect_uris: ['https://calm.example/back'],
      scopes,
    })
    return (await operator.createToken({ workspace: slug, client_id: app.client_id, user_email: email }))
      .access_token
  })
}
