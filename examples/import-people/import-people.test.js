import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@sales-crm/client'

const PEOPLE = 1000
const ROWS = Array.from(
  { length: PEOPLE },
  (_, index) => `"Lima, Ana ""${index}""",ana${index}@lima.example,,Compradora`,
)

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'import-people-'))
  return {
    folder,
    async writeCsv(name, rows) {
      const file = join(folder, name)
      await writeFile(file, `\uFEFF${['"full_name",email,phone,position', ...rows].join('\r\n')}\r\n`)
      return file
    },
  }
}

/** Starts the service as a process of its own, which can be killed. */
async function startService(t, folder, port) {
  const args = [join(import.meta.dirname, 'service-process.js'), folder, port]
  const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => service.kill('SIGKILL'))
  const [token] = await once(service.stdout.setEncoding('utf8'), 'data')
  return {
    token: token.trim(),
    async kill() {
      service.kill('SIGKILL')
      await once(service, 'exit')
    },
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await promisify((done) => server.close(done))()
  return port
}

async function runImport(url, token, file) {
  const env = { PATH: process.env.PATH, CRM_URL: url, CRM_TOKEN: token }
  const args = [join(import.meta.dirname, 'main.js'), file]
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error) => error,
  )
  return { stdout, stderr, code }
}

test('adds each person once, while the service is killed and when it is run again', async (t) => {
  const { folder, writeCsv } = await openFolder()
  const file = await writeCsv('people.csv', ROWS)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const service = await startService(t, folder, port)
  const crm = createClient({ url, token: service.token })
  const countPeople = async () => (await crm.people.list({ per_page: 1 })).meta.total

  const importing = runImport(url, service.token, file)
  while ((await countPeople()) < PEOPLE / 3);
  await service.kill()
  await startService(t, folder, port)
  assert.deepEqual(await importing, {
    stdout: '1000 of 1000 people are in the CRM.\n',
    stderr: '',
    code: undefined,
  })
  assert.equal(await countPeople(), PEOPLE)
  const { data } = await crm.people.list({ search: 'ana999' })
  assert.deepEqual([data[0].full_name, data[0].position], ['Lima, Ana "999"', 'Compradora'])

  const more = await writeCsv('more.csv', [...ROWS.slice(-2), '', 'Bob,bob,,', 'Bob,bob@buyer.example,,'])
  const { stdout, stderr, code } = await runImport(url, service.token, more)
  assert.equal(stdout, '3 of 4 people are in the CRM.\n')
  assert.equal(stderr, 'Record 3: {"emails[0].email":"Must be an e-mail address."}\n')
  assert.equal(code, 1)
  assert.equal(await countPeople(), PEOPLE + 1)

  const refused = await runImport(url, 'wrong', more)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /CrmApiError: Invalid or malformed token\./)
})
