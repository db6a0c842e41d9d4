import { expect, test } from 'vitest'
import {
  createRecordMaker,
  dataOf,
  listPath,
  RECORD_KIND_CASES,
  type RecordKindCase,
  rowsOf,
  scopeOf,
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

const TOKEN_KINDS = ['good', 'unscoped', 'none', 'malformed'] as const
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
type TokenKind = (typeof TOKEN_KINDS)[number]
type Id = (typeof IDS)[number]

/** Lists and creates have no id; `own` stands for it. */
const CASES = OPERATIONS.flatMap((operation) =>
  (operation.atId ? IDS : (['own'] as const)).flatMap((id) =>
    TOKEN_KINDS.map((token) => ({ operation, id, token })),
  ),
)

const NO_TOKEN = '401 unauthorized Missing or invalid Authorization header. [Bearer]'
const BAD_TOKEN = '401 unauthorized Invalid or malformed token. [Bearer]'

function expectedOutcome(kind: RecordKindCase, operation: Operation, id: Id, token: TokenKind): string {
  if (token === 'none') return NO_TOKEN
  if (token === 'malformed') return BAD_TOKEN
  const requiredScope = scopeOf(kind, operation.scope)
  if (token === 'unscoped')
    return `403 insufficient_scope This endpoint requires the '${requiredScope}' scope. [Bearer error="insufficient_scope", scope="${requiredScope}"]`
  return id === 'own' || id === 'OWN' ? String(operation.ok) : `404 not_found ${kind.label} not found. [null]`
}

function outcomeOf(response: TestResponse): string {
  if (response.status < 300) return String(response.status)
  const { code, message, ...rest } = errorOf(response)
  expect(rest).toEqual({})
  return `${response.status} ${code} ${message} [${response.headers.get('WWW-Authenticate')}]`
}

describeEachStore('every kind of record', (open) => {
  test("returns the contract's outcome for each operation, id and token", async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const [createOurs, createTheirs] = [await createRecordMaker(acme), await createRecordMaker(rival)]
    const tokenOptions = await createTokens(service, acme)
    const [outcomes, expected]: [string[], string[]] = [[], []]

    for (const kind of RECORD_KIND_CASES) {
      const [foreign, deleted] = [await createTheirs(kind), await createOurs(kind)]
      expect((await acme.call('DELETE', `/v1/${kind.name}/${deleted}`)).status).toBe(204)
      for (const { operation, id, token } of CASES) {
        const ownId = id === 'own' || id === 'OWN' ? await createOurs(kind) : ''
        const ids: Readonly<Record<string, string>> = {
          own: ownId,
          OWN: ownId.toUpperCase(),
          foreign,
          deleted,
          unknown: UNKNOWN_ID,
        }
        const [path, body] = [pathOf(kind, operation, ids[id] ?? id), bodyOf(kind, operation, acme)]
        const options = await tokenOptions(token, scopeOf(kind, operation.scope))
        const name = `${operation.operation} ${kind.name} ${id} with a ${token} token: `
        outcomes.push(name + outcomeOf(await sendRequest(service.app, operation.method, path, body, options)))
        expected.push(name + expectedOutcome(kind, operation, id, token))
      }
      expect((await rival.call('GET', `/v1/${kind.name}/${foreign}`)).status).toBe(200)
    }
    expect(outcomes).toEqual(expected)
    expect(outcomes).toHaveLength(15 * (2 + 3 * 9) * 4)
  })

  test('is created, read, listed, updated and deleted', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const createRecord = await createRecordMaker(acme)
    const { id: personId } = await acme.createRecord('/v1/people', { full_name: 'Ana' })
    for (const kind of RECORD_KIND_CASES) {
      const id = await createRecord(kind)
      const path = `/v1/${kind.name}/${id}`
      if (kind.name === 'activities')
        await acme.call('PATCH', path, { entity: 'people', entity_id: personId })
      const before = dataOf(await acme.call('GET', path))
      const { id: _, updated_at, ...unchanged } = before
      const patchResponse = await acme.call('PATCH', path, kind.change)
      expect(dataOf(patchResponse)).toMatchObject({ ...unchanged, ...kind.change })
      expect((await acme.call('GET', path)).json).toEqual(patchResponse.json)
      const findInList = async () =>
        rowsOf(await acme.call('GET', listPath(kind, personId))).filter((row) => row['id'] === id)
      expect(await findInList()).toMatchObject([kind.change])

      const deleteResponse = await acme.call('DELETE', path)
      expect([
        deleteResponse.status,
        deleteResponse.text,
        deleteResponse.headers.get('Content-Type'),
      ]).toEqual([204, '', null])
      expect(await findInList()).toEqual([])
      expect((await acme.call('DELETE', path)).status).toBe(404)
    }
  })

  test('requires the read scope to read and the write scope to update', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const createRecord = await createRecordMaker(acme)
    for (const kind of RECORD_KIND_CASES) {
      const id = await createRecord(kind)
      const [readToken, writeToken] = [
        await tokenWithScope(acme, scopeOf(kind, 'read')),
        await tokenWithScope(acme, scopeOf(kind, 'write')),
      ]
      const statusesWith = async (token: string) =>
        Promise.all([
          acme.call('GET', `/v1/${kind.name}/${id}`, undefined, { token }),
          acme.call('PATCH', `/v1/${kind.name}/${id}`, kind.change, { token }),
        ]).then((responses) => responses.map(({ status }) => status))
      expect([kind.name, await statusesWith(readToken), await statusesWith(writeToken)]).toEqual([
        kind.name,
        [200, 403],
        [403, 200],
      ])
    }
  })
})

describeEachStore('a tag', (open) => {
  test('is found by its key in any case, only in its workspace', async () => {
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

function pathOf(kind: RecordKindCase, { operation, atId }: Operation, id: string): string {
  if (atId) return `/v1/${kind.name}/${id}`
  return operation === 'list' ? listPath(kind) : `/v1/${kind.name}`
}

function bodyOf(
  { name, body, change }: RecordKindCase,
  { operation }: Operation,
  { owner }: Workspace,
): object | undefined {
  if (operation === 'create') return body(0, owner.id)
  if (operation !== 'update') return undefined
  // Several teams are changed, whose names are unique.
  return name === 'teams' ? { members: [] } : change
}

function tokenWithScope(acme: Workspace, scope: string): Promise<string> {
  return acme.tokenFor(acme.owner.email, [scope])
}

/** Returns tokens by kind. An `unscoped` token has every scope but the required one. */
async function createTokens(
  { crm }: Service,
  acme: Workspace,
): Promise<(token: TokenKind, scope: string) => Promise<{ readonly token?: string }>> {
  const tokenWithoutScope = new Map<string, string>()
  for (const scope of crm.operator.scopes) {
    const otherScopes = crm.operator.scopes.filter((other) => other !== scope)
    tokenWithoutScope.set(scope, await acme.tokenFor(acme.owner.email, otherScopes))
  }
  return async (token, scope) => {
    if (token === 'none') return {}
    if (token === 'malformed') return { token: 'nonsense' }
    return { token: token === 'good' ? acme.token : tokenWithoutScope.get(scope)! }
  }
}
