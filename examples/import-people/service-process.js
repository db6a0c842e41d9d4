import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { createCrm } from '@sales-crm/core'
import { loadSecretKey, nodePorts } from '@sales-crm/node'
import { createServer } from '@sales-crm/server'
import { sqliteStorage } from '@sales-crm/sqlite'

// Serves the CRM of a folder at a port, and prints a token. The arguments are the folder and the port.

const [folder, port] = process.argv.slice(2)
const secretKey = await loadSecretKey({ dataDir: folder })
const storage = await sqliteStorage({ file: join(folder, 'crm.db') })
const ports = { ...nodePorts({ secretKey, issuer: `http://127.0.0.1:${port}` }), storage }
const crm = createCrm(ports)
const olga = { workspace: 'acme', user_email: 'olga@acme.example' }
const [app] = await crm.operator.allApps()
const { client_id } = app ?? (await createAppAndWorkspace())
const { access_token } = await crm.operator.createToken({ ...olga, client_id })
const { listener } = createServer({ crm, ports, limits: { GET: 0, POST: 0 } })
createHttpServer(listener).listen(port, '127.0.0.1', () => console.log(access_token))

async function createAppAndWorkspace() {
  const owner = { owner_name: 'Olga', owner_email: olga.user_email }
  await crm.operator.createWorkspace({ name: 'Acme', slug: olga.workspace, ...owner })
  return crm.operator.createApp({
    name: 'Import',
    email: 'dev@acme.example',
    redirect_uris: ['https://import.example/callback'],
    scopes: ['people:read', 'people:write'],
  })
}
