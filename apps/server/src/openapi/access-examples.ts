import { SCOPES } from '@sales-crm/core'

const CLIENT_ID = '01a1fbc7-26f9-7ffd-981a-9c20b5f3f7fe'
const SECRET = 'the secret that the link showed'
const webhook = {
  id: '01a1fc31-2a11-7b7e-9d0c-55b1c0a3d9e4',
  url: 'https://hooks.radar.example/crm',
  events: ['person.created', 'deal.won'],
  auth_enable: true,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}
const deliveryAttempt = {
  created_at: '2026-03-01T12:00:00.004Z',
  duration_ms: 116,
  status: 503,
  error: null,
  response: 'Back in a minute',
}
const app = {
  name: 'Lead Radar',
  email: 'dev@radar.example',
  redirect_uris: ['https://app.radar.example/callback'],
  scopes: ['people:read', 'people:write'],
}
const usageLog = {
  id: '01a1fc31-2c44-7d0a-9b11-7a5c3f20e6d8',
  client_id: CLIENT_ID,
  period_start: '2026-03-01T11:00:00.000Z',
  period_end: '2026-03-01T12:00:00.000Z',
  requests: { GET: 120, POST: 14, PATCH: 3, DELETE: 0 },
  created_at: '2026-03-01T11:00:09.000Z',
}

const EXAMPLES = {
  Webhook: webhook,
  WebhookWithSecret: {
    ...webhook,
    webhook_secret: 'whsec_5f1d6a0c93b7e2484d20c7f9a61be8350d947f3c2b68ae1f74c05d9b836e21fa',
  },
  Attempt: deliveryAttempt,
  Delivery: {
    id: '01a1fc31-2b03-7c52-8e7a-0b9d6f41c2aa',
    webhook_id: webhook.id,
    event: 'deal.won',
    status: 'pending',
    reason: null,
    attempts_count: 1,
    next_attempt_at: '2026-03-01T12:15:00.000Z',
    created_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.120Z',
    attempts: [deliveryAttempt],
    body: '{"id":"01a1fc31-2b03-7c52-8e7a-0b9d6f41c2aa","event":"deal.won","version":"v1","created_at":"2026-03-01T12:00:00.000Z","deal":{}}',
  },
  UsageLog: usageLog,
  App: { client_id: CLIENT_ID, ...app, created_at: '2026-03-01T12:00:00.000Z' },
  Tokens: {
    access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLiJ9...',
    refresh_token: 'crm_rt_01a1fbc726f97ffd981a9c20b5f3f7fe...',
    token_type: 'Bearer',
    expires_in: 3600,
    workspace_slug: 'demo',
  },
  PageMeta: { total: 60, page: 2, per_page: 50, has_more: false },
  RevokedResponse: { data: { revoked: true } },
  RotatedResponse: { data: { client_id: CLIENT_ID } },
  HealthResponse: { data: { status: 'ok' } },
  NewApp: app,
  RotateRequest: { client_id: CLIENT_ID, email: app.email },
  TokenRequest: {
    grant_type: 'authorization_code',
    code: 'crm_ac_01a1fbc726f97ffd981a9c20b5f3f7fe...',
    client_id: CLIENT_ID,
    client_secret: SECRET,
  },
  RevokeRequest: {
    token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLiJ9...',
    client_id: CLIENT_ID,
    client_secret: SECRET,
  },
  NewWebhook: { url: webhook.url, events: webhook.events, auth_enable: true },
  WebhookChanges: { events: ['person.created', 'person.updated', 'deal.won'] },
  Nothing: {},
}

/** Examples of app, webhook and metadata schemas, for responses and requests, by schema name. */
export function accessExamples(issuer: string): Readonly<Record<string, object>> {
  const authentication = ['client_secret_post', 'client_secret_basic']
  return {
    ...EXAMPLES,
    AuthorizationServer: {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: authentication,
      revocation_endpoint_auth_methods_supported: authentication,
      authorization_response_iss_parameter_supported: true,
    },
    ProtectedResource: {
      resource: issuer,
      authorization_servers: [issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    },
  }
}
