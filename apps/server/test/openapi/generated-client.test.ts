import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { memoryStorage } from '@sales-crm/core/memory'
import { beforeAll, expect, test } from 'vitest'
import { COMMITTED_COPY, ROOT } from '../support/openapi-document.ts'
import { serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'node_modules/.cache/openapi-client')

/** Code that uses only the generated client. It is compiled together with the client. */
const SESSION = `
import { Api, type Error, type HttpResponse, type Person } from './api.ts'

export interface Outcome {
  readonly created: Person
  readonly changed: Person
  readonly people: readonly { readonly id: string; readonly full_name: string }[]
  readonly total: number
  readonly deleteStatus: number
  readonly rejection: { readonly status: number; readonly code: Error['error']['code']; readonly fields: Record<string, string> }
}

export async function session(baseUrl: string, token: string): Promise<Outcome> {
  const api = new Api<string>({ baseUrl, securityWorker: (accessToken) => (accessToken ? { headers: { Authorization: \`Bearer \${accessToken}\` } } : {}) })
  api.setSecurityData(token)

  const created = (await api.v1.createPerson({ full_name: 'Ana Souza', emails: [{ email: 'ana@pampa.example', type: 'home' }], score: 7 })).data.data
  const changed = (await api.v1.updatePerson(created.id, { position: 'Diretora', score: null })).data.data
  const page = (await api.v1.listPeople({ search: 'souz', per_page: 10, order_by: 'full_name', order: 'asc' })).data
  const deleteStatus = (await api.v1.deletePerson(created.id)).status

  const response = await api.v1.createPerson({ full_name: '' }).catch((errorResponse: HttpResponse<unknown, Error>) => errorResponse)
  if (response.ok) throw new TypeError('A person without a name was created.')
  const { code, fields = {} } = response.error.error
  return { created, changed, people: page.data, total: page.meta.total, deleteStatus, rejection: { status: response.status, code, fields } }
}
`

/** Compiler settings as strict as those of this repository, for code of any platform. */
const SETTINGS = {
  compilerOptions: {
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      target: 'es2024',
      module: 'nodenext',
      lib: ['es2024', 'dom', 'dom.iterable'],
    },
    ...{ allowImportingTsExtensions: true, noEmit: true, types: [] },
  },
  files: ['session.ts'],
}

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true })
  const generator = join(ROOT, 'node_modules/swagger-typescript-api/dist/cli.mjs')
  await run(
    process.execPath,
    [generator, 'generate', '--path', COMMITTED_COPY, '--output', FOLDER, '--name', 'api.ts', '--silent'],
    {
      cwd: FOLDER,
    },
  )
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(FOLDER, 'session.ts'), SESSION)
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(SETTINGS))
})

test('the generated client compiles without a cast', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const output = await run(process.execPath, [compiler, '--project', FOLDER]).then(
    () => '',
    ({ stdout }) => stdout,
  )
  expect(output).toBe('')
})

test('the generated client completes a session over a socket', async () => {
  const service = await openService(memoryStorage())
  const { token } = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  const { session } = await import(pathToFileURL(join(FOLDER, 'session.ts')).href)
  expect(await session(`http://127.0.0.1:${port}`, token)).toMatchObject({
    created: {
      full_name: 'Ana Souza',
      emails: [{ email: 'ana@pampa.example', type: 'home' }],
      score: 7,
      company: null,
      tags: [],
    },
    changed: { full_name: 'Ana Souza', position: 'Diretora', score: 0 },
    people: [{ full_name: 'Ana Souza', position: 'Diretora' }],
    total: 1,
    deleteStatus: 204,
    rejection: { status: 422, code: 'validation_error', fields: { full_name: 'Required.' } },
  })
})
