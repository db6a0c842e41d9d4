import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'

interface AuthorizedApp {
  readonly client_id: string
  readonly client_secret: string
  readonly token: string
}

/** Apps of their own, each let in once. */
export function createAuthorizedApps(
  place: FaultEnvironment,
  count: number,
): Promise<readonly AuthorizedApp[]> {
  return place.look(({ crm: { operator } }) => {
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
        const { access_token } = await operator.createToken({
          workspace: SLUG,
          client_id,
          user_email: OWNER_EMAIL,
        })
        return { client_id, client_secret, token: access_token }
      }),
    )
  })
}

/**
 * Has each app, in turn through one process and the other, revoke its grant.
 * @throws Error when the next call is not refused by both
 */
export async function expectRevoked(
  apps: readonly AuthorizedApp[],
  ports: readonly [number, number],
): Promise<void> {
  for (const [index, { client_id, client_secret, token }] of apps.entries()) {
    for (const port of ports) await expectAnswer(port, token, 200)
    const through = ports[index % 2]!
    const revoked = await fetch(`http://127.0.0.1:${through}/oauth/revoke`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, client_id, client_secret }),
    })
    if (!revoked.ok)
      throw new Error(`A grant could not be revoked: ${revoked.status} ${await revoked.text()}`)
    for (const port of ports.toSorted((port) => (port === through ? 1 : -1)))
      await expectAnswer(port, token, 401)
  }
}

async function expectAnswer(port: number, token: string, wanted: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/tasks?per_page=1`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (status !== wanted)
    throw new Error(
      `A call ${wanted === 401 ? 'after its grant was revoked' : 'with a good token'} was answered with ${status}.`,
    )
}
