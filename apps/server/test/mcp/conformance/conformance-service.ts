import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../../src/process/open-store.ts'
import { loadSettings } from '../../../src/process/settings.ts'
import { freePort, type OnFinished, startService, temporaryFolder } from '../../support/service-process.ts'

type Env = Readonly<Record<string, string>>

export const PASSWORD = 'correct horse battery'

/** What one address may do in a minute, and what a token may, is not what is tested here. */
const UNLIMITED = Object.fromEntries(
  ['GET', 'POST', 'PATCH', 'DELETE', 'OAUTH', 'REGISTER'].map((limit) => [`RATE_LIMIT_${limit}`, '0']),
)

/** A process of the service on a socket, known by its real address, and a workspace in it with a token for everything. */
export async function startConformanceService(more: Env = {}, finished: OnFinished = onTestFinished) {
  const data = await temporaryFolder(finished)
  const port = String(await freePort())
  const env = {
    ...UNLIMITED,
    DATABASE_URL: `sqlite:${join(data, 'crm.db')}`,
    DATA_DIR: data,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ...more,
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
 * The same, for programs that cannot be given a token: at its public address stands a proxy that adds one to each request, and passes
 * it on as it is otherwise. Gives the public address.
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
  const { hostname, port: onwardPort } = new URL(address)
  const proxy = createServer((request, response) => {
    const { method, url: path } = request
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`]
    const onward = ask({ hostname, port: onwardPort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  finished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
}
