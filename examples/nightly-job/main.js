import { createClient } from '@sales-crm/client'
import { createFollowUps } from './follow-ups.js'
import { readTokens, saveTokens } from './token-file.js'

const DAY_MS = 86_400_000
const QUIET_DAYS = 14

const { CRM_URL, CRM_CLIENT_ID, CRM_CLIENT_SECRET, TOKENS_FILE = 'tokens.json' } = process.env

const { refresh_token, access_token } = await readTokens(TOKENS_FILE)
const crm = createClient({
  url: CRM_URL,
  credentials: {
    client_id: CRM_CLIENT_ID,
    client_secret: CRM_CLIENT_SECRET,
    refresh_token,
    access_token,
    onTokens: (tokens) => saveTokens(TOKENS_FILE, tokens),
  },
  // Waits for a restart of the service for about two minutes.
  maxRetries: 10,
})
const count = await createFollowUps(crm, {
  since: new Date(Date.now() - QUIET_DAYS * DAY_MS).toISOString(),
  due_date: new Date(Date.now() + DAY_MS).toISOString(),
})
console.log(`Created ${count} tasks.`)
