import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../../src/process/open-store.ts'
import { loadSettings } from '../../../src/process/settings.ts'
import { freePort, type OnFinished, startService, temporaryFolder } from '../../support/service-process.ts'

type Env = Readonly<Record<string, string>>

export const PASSWORD = 'correct horse battery'

/** Disables rate limits, which these tests do not cover. */
const UNLIMITED = Object.fromEntries(
  ['GET', 'POST', 'PATCH', 'DELETE', 'OAUTH', 'REGISTER'].map((limit) => [`RATE_LIMIT_${limit}`, '0']),
)

/**
 * Starts a service process whose issuer is its real address, with one workspace and a token with every scope.
 */
export async function startConformanceService(overrides: Env = {}, finished: OnFinished = onTestFinished) {
  const data = await temporaryFolder(finished)
  const port = String(await freePort())
  const env = {
    ...UNLIMITED,
    DATABASE_URL: `sqlite:${join(data, 'crm.db')}`,
    DATA_DIR: data,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ...overrides,
  }
  const store = await openStore(loadSettings(env), { isServer: false })
  const { operator } = store.crm
  const email = 'olga@acme.example'
  await operator.createWorkspace({
    name: 'Acme',
    slug: 'acme',
    owner_name: 'Olga',
    owner_email: email,
    owner_password: PASSWORD,
  })
  const app = { name: 'Sync', email, redirect_uris: ['https://app.example/cb'], scopes: [...operator.scopes] }
  const { client_id } = await operator.createApp(app)
  const { access_token: token } = await operator.createToken({
    workspace: 'acme',
    client_id,
    user_email: email,
  })
  await store.close()
  const { address, lines } = await startService(env, finished)
  return { address, email, token, lines }
}

/**
 * Starts the service behind a proxy at its public address that adds a token to each request, for clients that
 * cannot be configured with one. Returns the public address.
 */
export async function startServiceWithToken(finished: OnFinished = onTestFinished): Promise<string> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const { address, token } = await startConformanceService({ BASE_URL: base }, finished)
  await addToken({ port, address, token }, finished)
  return base
}

interface Proxy {
  readonly port: number
  readonly address: string
  readonly token: string
}

async function addToken({ port, address, token }: Proxy, finished: OnFinished): Promise<void> {
  const { hostname, port: servicePort } = new URL(address)
  const proxy = createServer((request, response) => {
    const { method, url: path } = request
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`]
    const forwarded = sendRequest(
      { hostname, port: servicePort, method, path, headers },
      (serviceResponse) => {
        response.writeHead(serviceResponse.statusCode!, serviceResponse.rawHeaders)
        serviceResponse.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  finished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
}
