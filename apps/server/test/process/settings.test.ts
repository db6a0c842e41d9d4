import { expect, test } from 'vitest'
import { loadSettings, sqliteFile } from '../../src/process/settings.ts'

test.each([
  [{}, 'Sales CRM <no-reply@localhost>'],
  [{ BASE_URL: 'http://[::1]:3000' }, 'Sales CRM <no-reply@localhost>'],
  [
    { BASE_URL: 'https://crm.acme.example/sales', SMTP_URL: 'smtp://mail.example' },
    'Sales CRM <no-reply@crm.acme.example>',
  ],
])('the default sender is no-reply at the public address (%j)', (env, from) => {
  expect(loadSettings(env).mail.from).toBe(from)
})

test('every setting has a default', () => {
  expect(loadSettings({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: undefined,
    baseUrl: 'http://127.0.0.1:3000',
    databaseUrl: 'sqlite:data/crm.db',
    databaseReadUrls: [],
    readLagSeconds: 5,
    isDefaultDatabase: true,
    dataDir: 'data',
    secretKey: undefined,
    previousSecretKey: undefined,
    trustProxy: 0,
    limits: { GET: 1000, POST: 200, PATCH: 200, DELETE: 100, OAUTH: 20, REGISTER: 10 },
    mail: { smtpUrl: undefined, from: 'Sales CRM <no-reply@localhost>' },
    worker: true,
    console: true,
    setup: true,
    quota: { records: 1_000_000, bytes: 10_000_000_000 },
    importDays: 30,
    databasePool: 10,
    databasePrepared: true,
    logLevel: 'info',
    outbound: { allowPrivate: false, allowCidrs: [] },
    webhooks: { timeoutSeconds: 10, retrySeconds: 900, retries: 3 },
  })
})

test('the database is in the data folder by default', () => {
  expect(loadSettings({ DATA_DIR: '/var/lib/crm' })).toMatchObject({
    databaseUrl: 'sqlite:/var/lib/crm/crm.db',
    isDefaultDatabase: true,
  })
  expect(loadSettings({ DATA_DIR: '/var/lib/crm', DATABASE_URL: 'sqlite:data/crm.db' })).toMatchObject({
    databaseUrl: 'sqlite:data/crm.db',
    isDefaultDatabase: false,
  })
})

test('the database may have several servers', () => {
  const databaseUrl = 'postgres://crm:p,ss@db1:5432,db2.example,[::1]:5433/crm?sslmode=verify-full'
  expect(loadSettings({ DATABASE_URL: databaseUrl, SECRET_KEY: 'AAAA' })).toMatchObject({ databaseUrl })
})

test('reads every setting', () => {
  const settings = loadSettings({
    HOST: '0.0.0.0',
    PORT: '8080',
    METRICS_PORT: '9464',
    BASE_URL: 'https://crm.acme.example/api/',
    DATABASE_URL: 'postgres://crm:pass@db/crm',
    DATABASE_READ_URL: 'postgres://crm:pass@db2/crm, postgres://crm:pass@db3/crm',
    READ_LAG_SECONDS: '10',
    DATA_DIR: '/var/lib/crm',
    SECRET_KEY: 'AAAA',
    SECRET_KEY_PREVIOUS: 'BBBB',
    TRUST_PROXY: '1',
    RATE_LIMIT_GET: '5',
    RATE_LIMIT_POST: '6',
    RATE_LIMIT_PATCH: '7',
    RATE_LIMIT_DELETE: '0',
    RATE_LIMIT_OAUTH: '8',
    RATE_LIMIT_REGISTER: '9',
    SMTP_URL: 'smtps://mailer:p%40ss@mail.example:465',
    MAIL_FROM: 'Acme <crm@acme.example>',
    WORKER: 'false',
    CONSOLE: 'false',
    SETUP: 'false',
    QUOTA_RECORDS: '5000',
    QUOTA_MEGABYTES: '0',
    IMPORT_DAYS: '90',
    DATABASE_POOL: '20',
    DATABASE_PREPARED: 'false',
    LOG_LEVEL: 'debug',
    WEBHOOK_TIMEOUT_SECONDS: '20',
    WEBHOOK_RETRY_SECONDS: '60',
    WEBHOOK_RETRIES: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    OUTBOUND_ALLOW_CIDRS: '10.1.0.0/16, fd00::/8',
    SOME_OTHER_PROGRAM: 'yes',
  })
  expect(settings).toEqual({
    host: '0.0.0.0',
    port: 8080,
    metricsPort: 9464,
    baseUrl: 'https://crm.acme.example/api',
    databaseUrl: 'postgres://crm:pass@db/crm',
    databaseReadUrls: ['postgres://crm:pass@db2/crm', 'postgres://crm:pass@db3/crm'],
    readLagSeconds: 10,
    isDefaultDatabase: false,
    dataDir: '/var/lib/crm',
    secretKey: 'AAAA',
    previousSecretKey: 'BBBB',
    trustProxy: 1,
    limits: { GET: 5, POST: 6, PATCH: 7, DELETE: 0, OAUTH: 8, REGISTER: 9 },
    mail: { smtpUrl: 'smtps://mailer:p%40ss@mail.example:465', from: 'Acme <crm@acme.example>' },
    worker: false,
    console: false,
    setup: false,
    quota: { records: 5000, bytes: Infinity },
    importDays: 90,
    databasePool: 20,
    databasePrepared: false,
    logLevel: 'debug',
    webhooks: { timeoutSeconds: 20, retrySeconds: 60, retries: 0 },
    outbound: { allowPrivate: true, allowCidrs: ['10.1.0.0/16', 'fd00::/8'] },
  })
})

test('accepts MAIL_FROM without SMTP_URL', () => {
  expect(loadSettings({ MAIL_FROM: 'crm@acme.example' }).mail).toEqual({
    smtpUrl: undefined,
    from: 'crm@acme.example',
  })
})

test('treats an empty setting as unset', () => {
  expect(
    loadSettings({
      PORT: '',
      METRICS_PORT: '',
      BASE_URL: '',
      DATABASE_URL: '',
      SMTP_URL: '',
      MAIL_FROM: '',
      WORKER: '',
    }),
  ).toEqual(loadSettings({}))
})

test.each([
  [{ BASE_URL: 'http://localhost:8080/' }, 'http://localhost:8080'],
  [{ BASE_URL: 'http://[::1]:8080' }, 'http://[::1]:8080'],
  [{ BASE_URL: 'https://CRM.example:443' }, 'https://crm.example'],
  [{ HOST: '::1', PORT: '3100' }, 'http://[::1]:3100'],
  [{ HOST: 'localhost' }, 'http://localhost:3000'],
])('derives the public address from %o: %s', (env, baseUrl) => {
  expect(loadSettings(env).baseUrl).toBe(baseUrl)
})

const ADDRESS =
  'BASE_URL must be an https URL, or http on a loopback address, without query, fragment or credentials'
const SMTP =
  'SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, with what a URL cannot hold percent-encoded.'
const SENDER =
  'MAIL_FROM must be an e-mail address, or a name and one, such as Sales CRM <crm@company.example>'
const READ =
  'DATABASE_READ_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE of a replica, with commas between several, and with %2C for a comma in a password.'
const DATABASE =
  'DATABASE_URL must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with commas between several HOST:PORT.'

test.each([
  [{ PORT: '0' }, 'PORT must be a whole number between 1 and 65535, not "0".'],
  [{ PORT: '80a' }, 'PORT must be a whole number between 1 and 65535, not "80a".'],
  [{ METRICS_PORT: '0' }, 'METRICS_PORT must be a whole number between 1 and 65535, not "0".'],
  [{ METRICS_PORT: '65536' }, 'METRICS_PORT must be a whole number between 1 and 65535, not "65536".'],
  [{ METRICS_PORT: 'on' }, 'METRICS_PORT must be a whole number between 1 and 65535, not "on".'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT must be another port than PORT, not "3000".'],
  [{ PORT: '9464', METRICS_PORT: '09464' }, 'METRICS_PORT must be another port than PORT, not "9464".'],
  [{ HOST: 'a b' }, 'HOST must be a host name or an IP address, not "a b".'],
  [
    { HOST: '0.0.0.0' },
    'BASE_URL must be set to the public address, since HOST is 0.0.0.0 and no loopback address.',
  ],
  [{ BASE_URL: 'http://crm.example' }, `${ADDRESS}, not "http://crm.example".`],
  [{ BASE_URL: 'https://crm.example/?a=1' }, `${ADDRESS}, not "https://crm.example/?a=1".`],
  [{ BASE_URL: 'https://crm.example/#top' }, `${ADDRESS}, not "https://crm.example/#top".`],
  [{ BASE_URL: 'https://a:b@crm.example' }, `${ADDRESS}.`],
  [{ BASE_URL: 'crm.example' }, `${ADDRESS}, not "crm.example".`],
  [{ DATABASE_URL: 'mysql://root:hunter2@db/crm' }, DATABASE],
  [{ DATABASE_URL: 'sqlite::memory:' }, DATABASE],
  [{ DATABASE_URL: 'sqlite://data/crm.db' }, DATABASE],
  [{ TRUST_PROXY: '-1' }, 'TRUST_PROXY must be a whole number between 0 and 100, not "-1".'],
  [{ RATE_LIMIT_GET: 'off' }, 'RATE_LIMIT_GET must be a whole number between 0 and 1000000000, not "off".'],
  [{ IMPORT_DAYS: '0' }, 'IMPORT_DAYS must be a whole number between 1 and 3650, not "0".'],
  [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a whole number between 1 and 1000, not "0".'],
  [{ DATABASE_PREPARED: 'no' }, 'DATABASE_PREPARED must be true or false, not "no".'],
  [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:notaport/db' }, DATABASE],
  [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:99999/db' }, DATABASE],
  [{ DATABASE_URL: 'postgres://u:p@db1,db2:notaport/db' }, DATABASE],
  [{ DATABASE_URL: 'postgres://u:p@db1,/db' }, DATABASE],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
  ],
  [{ RATE_LIMIT_OAUTH: '-1' }, 'RATE_LIMIT_OAUTH must be a whole number between 0 and 1000000000, not "-1".'],
  [
    { RATE_LIMIT_REGISTER: '1e3' },
    'RATE_LIMIT_REGISTER must be a whole number between 0 and 1000000000, not "1e3".',
  ],
  [{ SMTP_URL: 'https://mailer:hunter2@mail.example', MAIL_FROM: 'crm@acme.example' }, SMTP],
  [{ SMTP_URL: 'smtp://mailer:hunter/2@mail.example', MAIL_FROM: 'crm@acme.example' }, SMTP],
  [{ SMTP_URL: 'hunter2', MAIL_FROM: 'crm@acme.example' }, SMTP],
  [{ MAIL_FROM: 'Acme' }, `${SENDER}, not "Acme".`],
  [{ MAIL_FROM: 'Acme <crm@acme.example>, eve@evil.example' }, `${SENDER}.`],
  [{ MAIL_FROM: 'Acme\r\nBcc: eve@evil.example <crm@acme.example>' }, `${SENDER}.`],
  [{ DATABASE_READ_URL: 'postgres://u:hunter2@db2,db3/crm' }, READ],
  [{ DATABASE_READ_URL: 'sqlite:crm.db' }, READ],
  [
    { DATABASE_READ_URL: 'postgres://u:hunter2@db2/crm' },
    'DATABASE_READ_URL must be unset with SQLite, which has no replicas.',
  ],
  [{ READ_LAG_SECONDS: '0' }, 'READ_LAG_SECONDS must be a whole number between 1 and 3600, not "0".'],
  [{ WORKER: '0' }, 'WORKER must be true or false, not "0".'],
  [
    { WORKER: 'false' },
    'WORKER must be true with SQLite, where one process serves the file and sends the mail.',
  ],
  [
    { WEBHOOK_TIMEOUT_SECONDS: '0' },
    'WEBHOOK_TIMEOUT_SECONDS must be a whole number between 1 and 60, not "0".',
  ],
  [
    { WEBHOOK_TIMEOUT_SECONDS: '61' },
    'WEBHOOK_TIMEOUT_SECONDS must be a whole number between 1 and 60, not "61".',
  ],
  [
    { WEBHOOK_RETRY_SECONDS: '15m' },
    'WEBHOOK_RETRY_SECONDS must be a whole number between 1 and 86400, not "15m".',
  ],
  [
    { WEBHOOK_RETRY_SECONDS: '86401' },
    'WEBHOOK_RETRY_SECONDS must be a whole number between 1 and 86400, not "86401".',
  ],
  [{ WEBHOOK_RETRIES: '-1' }, 'WEBHOOK_RETRIES must be a whole number between 0 and 20, not "-1".'],
  [{ WEBHOOK_RETRIES: '21' }, 'WEBHOOK_RETRIES must be a whole number between 0 and 20, not "21".'],
  [{ WEBHOOK_ALLOW_PRIVATE: '1' }, 'WEBHOOK_ALLOW_PRIVATE must be true or false, not "1".'],
  [
    { OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8,10.1.0.0' },
    'OUTBOUND_ALLOW_CIDRS must be address ranges such as 10.0.0.0/8, with commas between them, not "10.0.0.0/8,10.1.0.0".',
  ],
])('rejects %o with one line', (env, message) => {
  expect(() => loadSettings(env)).toThrow(new Error(message))
})

test('only a SQLite URL has a file', () => {
  expect(sqliteFile({ databaseUrl: 'sqlite:data/crm.db' })).toBe('data/crm.db')
  expect(sqliteFile({ databaseUrl: 'sqlite:/var/crm.db' })).toBe('/var/crm.db')
  expect(sqliteFile({ databaseUrl: 'postgres://db/crm' })).toBeUndefined()
})
