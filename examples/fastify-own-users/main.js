import { loadSecretKey, nodePorts } from '@sales-crm/node'
import { sqliteStorage } from '@sales-crm/sqlite'
import { createApp } from './app.js'

const { PORT = '8080', PUBLIC_URL = `http://127.0.0.1:${PORT}`, DATA_DIR = 'data', SECRET_KEY } = process.env

const secretKey = await loadSecretKey({ secretKey: SECRET_KEY, dataDir: DATA_DIR })
const storage = await sqliteStorage({ file: `${DATA_DIR}/crm.db` })
const app = createApp({ ...nodePorts({ secretKey, issuer: `${PUBLIC_URL}/crm` }), storage })
app.addHook('onClose', () => storage.close())
process.once('SIGTERM', () => app.close())
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
