import { serve } from '@hono/node-server'
import { createClient } from '@sales-crm/client'
import { createSite } from './site.js'

const { CRM_URL = 'http://127.0.0.1:3000', CRM_TOKEN, PORT = '8080' } = process.env

const site = createSite(createClient({ url: CRM_URL, token: CRM_TOKEN }))
serve({ fetch: site.fetch, port: Number(PORT), hostname: '127.0.0.1' })
