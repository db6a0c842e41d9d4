import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'

export interface AuthorizedApp {
  readonly client_id: string
  readonly client_secret: string
  readonly token: string
  readonly refresh_token: string
}

/** Creates apps with one grant each. */
export function createAuthorizedApps(
  environment: FaultEnvironment,
  count: number,
): Promise<readonly AuthorizedApp[]> {
  return environment.withCore(({ crm: { operator } }) => {
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const scopes = ['tasks:read' as const]
        const email = 'app@bench.example'
        const app = await operator.createApp({
          name: `App ${index}`,
          email,
          redirect_uris: ['https://bench.example/back'],
          scopes,
        })
        const { client_id, client_secret } = app
        const { access_token, refresh_token } = await operator.createToken({
          workspace: SLUG,
          client_id,
          user_email: OWNER_EMAIL,
        })
        return { client_id, client_secret, token: access_token, refresh_token }
      }),
    )
  })
}

/**
 * Revokes the grant of each app, through the two processes in turn.
 * @throws Error unless both processes accept its token before, and reject the next call
 */
export async function expectRevoked(
  apps: readonly AuthorizedApp[],
  ports: readonly [number, number],
): Promise<void> {
  for (const [index, { client_id, client_secret, token }] of apps.entries()) {
    for (const port of ports) await expectStatus(port, token, 200)
    const revokingPort = ports[index % 2]!
    const revocation = await fetch(`http://127.0.0.1:${revokingPort}/oauth/revoke`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, client_id, client_secret }),
    })
    if (!revocation.ok)
      throw new Error(`A grant could not be revoked: ${revocation.status} ${await revocation.text()}`)
    for (const port of ports.toSorted((port) => (port === revokingPort ? 1 : -1)))
      await expectStatus(port, token, 401)
  }
}

async function expectStatus(port: number, token: string, expected: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/tasks?per_page=1`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (status !== expected)
    throw new Error(
      `A call ${expected === 401 ? 'after the revocation of its grant' : 'with a valid token'} was answered ${status}.`,
    )
}
