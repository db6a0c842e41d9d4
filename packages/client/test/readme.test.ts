import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openLiveService } from './support/live-client.ts'

const PACKAGE = join(import.meta.dirname, '..')

test('the example of the README runs', async () => {
  const { url, acme } = await openLiveService()
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  await acme.createRecord('/v1/deals', { name: 'Fifty chairs', amount: 500_00, currency: 'BRL' })
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? []
  const code = example.replace('https://crm.example', url)
  // In the folder of the package, its own name resolves to it.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', code],
    { cwd: PACKAGE, env: { CRM_TOKEN: acme.token } },
  )
  expect(stdout).toBe("Fifty chairs R$500.00\n{ score: 'Must be an integer between 0 and 100.' }\n")
  const { json } = await acme.call('GET', '/v1/tasks')
  expect(json).toMatchObject({ data: [{ title: 'Call Ana', person: { full_name: 'Ana Lima' } }] })
})
