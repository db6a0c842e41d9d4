import { expect, test } from 'vitest'
import {
  createRecordMaker,
  dataOf,
  listPath,
  RECORD_KIND_CASES,
  type RecordKindCase,
  rowsOf,
  UNKNOWN_ID,
} from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type TestResponse,
  type Workspace,
} from '../../support/test-service.ts'

const OPERATIONS = [
  { operation: 'list', method: 'GET', scope: 'read', ok: 200, atId: false },
  { operation: 'get', method: 'GET', scope: 'read', ok: 200, atId: true },
  { operation: 'create', method: 'POST', scope: 'write', ok: 201, atId: false },
  { operation: 'update', method: 'PATCH', scope: 'write', ok: 200, atId: true },
  { operation: 'delete', method: 'DELETE', scope: 'write', ok: 204, atId: true },
] as const

const TOKENS = ['good', 'lacking', 'none', 'malformed'] as const
const IDS = [
  'own',
  'OWN',
  'foreign',
  'deleted',
  'unknown',
  'x',
  '1',
  '%20',
  '0000000g-0000-7000-8000-000000000000',
] as const

type Operation = (typeof OPERATIONS)[number]
type TokenKind = (typeof TOKENS)[number]
type Id = (typeof IDS)[number]

/** Lists and creations have no id; theirs is as good as one's own. */
const CASES = OPERATIONS.flatMap((operation) =>
  (operation.atId ? IDS : (['own'] as const)).flatMap((id) =>
    TOKENS.map((token) => ({ operation, id, token })),
  ),
)

const NO_TOKEN = '401 unauthorized Missing or invalid Authorization header. [Bearer]'
const BAD_TOKEN = '401 unauthorized Invalid or malformed token. [Bearer]'

function expectedStatus(
  { label, scope }: RecordKindCase,
  operation: Operation,
  id: Id,
  token: TokenKind,
): string {
  if (token === 'none') return NO_TOKEN
  if (token === 'malformed') return BAD_TOKEN
  const needed = `${scope}:${operation.scope}`
  if (token === 'lacking')
    return `403 insufficient_scope This endpoint requires the '${needed}' scope. [Bearer error="insufficient_scope", scope="${needed}"]`
  return id === 'own' || id === 'OWN' ? String(operation.ok) : `404 not_found ${label} not found. [null]`
}

function outcomeOf(answer: TestResponse): string {
  if (answer.status < 300) return String(answer.status)
  const { code, message, ...more } = errorOf(answer)
  expect(more).toEqual({})
  return `${answer.status} ${code} ${message} [${answer.headers.get('WWW-Authenticate')}]`
}

describeEachStore('every family', (open) => {
  test('answers each operation, id and token as the contract says', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const [ours, theirs] = [await createRecordMaker(acme), await createRecordMaker(rival)]
    const tokenOf = await tokens(service, acme)
    const [answered, wanted]: [string[], string[]] = [[], []]

    for (const family of RECORD_KIND_CASES) {
      const [foreign, deleted] = [await theirs(family), await ours(family)]
      expect((await acme.call('DELETE', `/v1/${family.name}/${deleted}`)).status).toBe(204)
      for (const { operation, id, token } of CASES) {
        const own = id === 'own' || id === 'OWN' ? await ours(family) : ''
        const ids: Readonly<Record<string, string>> = {
          own,
          OWN: own.toUpperCase(),
          foreign,
          deleted,
          unknown: UNKNOWN_ID,
        }
        const [path, body] = [pathOf(family, operation, ids[id] ?? id), bodyOf(family, operation)]
        const sent = await tokenOf(token, `${family.scope}:${operation.scope}`)
        const name = `${operation.operation} ${family.name} ${id} with a ${token} token: `
        answered.push(name + outcomeOf(await sendRequest(service.app, operation.method, path, body, sent)))
        wanted.push(name + expectedStatus(family, operation, id, token))
      }
      expect((await rival.call('GET', `/v1/${family.name}/${foreign}`)).status).toBe(200)
    }
    expect(answered).toEqual(wanted)
    expect(answered).toHaveLength(11 * (2 + 3 * 9) * 4)
  })

  test('makes, shows, lists, changes and deletes its own records', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const make = await createRecordMaker(acme)
    const { id: person } = await acme.createRecord('/v1/people', { full_name: 'Ana' })
    for (const family of RECORD_KIND_CASES) {
      const id = await make(family)
      const path = `/v1/${family.name}/${id}`
      if (family.name === 'activities')
        await acme.call('PATCH', path, { entity: 'people', entity_id: person })
      const shown = dataOf(await acme.call('GET', path))
      const { id: _, updated_at, ...untouched } = shown
      const changed = await acme.call('PATCH', path, family.change)
      expect(dataOf(changed)).toMatchObject({ ...untouched, ...family.change })
      expect((await acme.call('GET', path)).json).toEqual(changed.json)
      const listed = async () =>
        rowsOf(await acme.call('GET', listPath(family, person))).filter((row) => row['id'] === id)
      expect(await listed()).toMatchObject([family.change])

      const removed = await acme.call('DELETE', path)
      expect([removed.status, removed.text, removed.headers.get('Content-Type')]).toEqual([204, '', null])
      expect(await listed()).toEqual([])
      expect((await acme.call('DELETE', path)).status).toBe(404)
    }
  })

  test('is written by a POST that opens nothing to a reader, and read by a GET that opens nothing to a writer', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const make = await createRecordMaker(acme)
    for (const family of RECORD_KIND_CASES) {
      const id = await make(family)
      const [reader, writer] = [
        await only(acme, `${family.scope}:read`),
        await only(acme, `${family.scope}:write`),
      ]
      const statuses = async (token: string) =>
        Promise.all([
          acme.call('GET', `/v1/${family.name}/${id}`, undefined, { token }),
          acme.call('PATCH', `/v1/${family.name}/${id}`, family.change, { token }),
        ]).then((answers) => answers.map(({ status }) => status))
      expect([family.name, await statuses(reader), await statuses(writer)]).toEqual([
        family.name,
        [200, 403],
        [403, 200],
      ])
    }
  })
})

describeEachStore('a tag', (open) => {
  test('is found by its key in any case, and by nobody else', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const { id } = await acme.createRecord('/v1/tags', { name: 'Lead Quente' })
    for (const key of ['lead_quente', 'LEAD_Quente']) {
      expect(dataOf(await acme.call('GET', `/v1/tags/${key}`))).toMatchObject({ id, key: 'lead_quente' })
      expect(dataOf(await acme.call('PATCH', `/v1/tags/${key}`, { color: '#ABCDEF' }))).toMatchObject({
        id,
        color: '#abcdef',
      })
      for (const [method, body] of [['GET'], ['PATCH', { name: 'Ours' }], ['DELETE']] as const)
        expect(outcomeOf(await rival.call(method, `/v1/tags/${key}`, body))).toBe(
          '404 not_found Tag not found. [null]',
        )
    }
    expect((await acme.call('DELETE', '/v1/tags/Lead_Quente')).status).toBe(204)
    expect(outcomeOf(await acme.call('GET', '/v1/tags/lead_quente'))).toBe(
      '404 not_found Tag not found. [null]',
    )
    expect(await acme.createRecord('/v1/tags', { name: 'Lead quente' })).toMatchObject({ key: 'lead_quente' })
  })
})

function pathOf(family: RecordKindCase, { operation, atId }: Operation, id: string): string {
  if (atId) return `/v1/${family.name}/${id}`
  return operation === 'list' ? listPath(family) : `/v1/${family.name}`
}

function bodyOf({ body, change }: RecordKindCase, { operation }: Operation): object | undefined {
  if (operation === 'create') return body(0)
  return operation === 'update' ? change : undefined
}

function only(acme: Workspace, scope: string): Promise<string> {
  return acme.tokenFor(acme.owner.email, [scope])
}

/** Tokens by what is right with them. One that lacks a scope has all others. */
async function tokens(
  { crm }: Service,
  acme: Workspace,
): Promise<(token: TokenKind, scope: string) => Promise<{ readonly token?: string }>> {
  const lacking = new Map<string, string>()
  for (const scope of crm.operator.scopes) {
    const others = crm.operator.scopes.filter((each) => each !== scope)
    lacking.set(scope, await acme.tokenFor(acme.owner.email, others))
  }
  return async (token, scope) => {
    if (token === 'none') return {}
    if (token === 'malformed') return { token: 'nonsense' }
    return { token: token === 'good' ? acme.token : lacking.get(scope)! }
  }
}
