import type { Crm } from '@sales-crm/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolCaller, listTools } from '../support/mcp-requests.ts'
import { operationsOf, readCommittedDocument } from '../support/openapi-document.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Service, sendRequest } from '../support/test-service.ts'
import { type InputSchema, inputsOf } from './schema-inputs.ts'

const RUNS = 12
const NO_LIMITS = { GET: 1e6, POST: 1e6, PATCH: 1e6, DELETE: 1e6 }
const KINDS = ['people', 'companies', 'deals', 'tasks', 'activities'] as const
type Kind = (typeof KINDS)[number]
/** What names the records of one owner. */
type Identity = Readonly<Record<Kind | 'email' | 'phone', string>>

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
/** Codes and keys of files. */
const RANDOM_TEXT = /\b[A-Z]-[0-9A-Z]{7}\b|[\w-]{22,}/g

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: InputSchema
}

/** A workspace in which Ann sees nothing of Ben, and what of him there was. */
async function openHiddenWorkspace(service: Service) {
  const acme = await openWorkspace(service)
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
  const tag = await acme.createRecord('/v1/tags', { name: 'VIP', key: 'vip', color: '#ff0000' })
  const list = await acme.createRecord('/v1/lists', { name: 'Fair' })
  const hidden = await createRecords(acme, ben.id, 'canary', [tag.id])
  const deleted = await createRecords(acme, ben.id, 'deleted', [tag.id])
  for (const kind of KINDS.toReversed()) await acme.call('DELETE', `/v1/${kind}/${deleted[kind]}`)
  const own = await createRecords(acme, ann.id, 'own', [tag.id])
  // What Ann owns is linked to what she does not see.
  await acme.call('PATCH', `/v1/deals/${own.deals}`, {
    ...{ company_id: hidden.companies, person_id: hidden.people },
  })
  await acme.call('PATCH', `/v1/people/${own.people}`, { company_id: hidden.companies })
  for (const kind of ['people', 'companies', 'deals'])
    await acme.call('POST', `/v1/${kind}/${hidden[kind as Kind]}/memberships`, { add_lists: [list.id] })
  const target = { month: '2026-11', owner_id: ben.id, currency: 'BRL', amount: 7_777_777 }
  await acme.createRecord('/v1/targets', target)
  const rules = { people: 'owner', companies: 'owner', deals: 'owner', tasks: 'owner' }
  await acme.call('PATCH', '/v1/workspace', { visibility: rules })
  return { acme, ann, ben, tag, list, hidden, deleted, own, token: await openOwnApp(service.crm, acme, ann) }
}

type Workspace = Awaited<ReturnType<typeof openWorkspace>>
type Hidden = Awaited<ReturnType<typeof openHiddenWorkspace>>

/** A token of an app that only Ann has let in. */
async function openOwnApp({ operator }: Crm, { slug }: Workspace, { email }: { readonly email: string }) {
  const { client_id } = await operator.createApp({
    ...{ name: 'Ann’s app', email, redirect_uris: ['https://ann.example/cb'] },
    scopes: [...operator.scopes],
  })
  return (await operator.createToken({ workspace: slug, client_id, user_email: email })).access_token
}

async function createRecords(
  { createRecord }: Workspace,
  owner_user_id: string,
  name: string,
  tags: readonly string[],
): Promise<Identity> {
  const email = `${name}@secret.example`
  const phone = `+55 11 91234-${name.length}${name.length}78`
  const owned = { owner_user_id, external_ids: [{ source: 'old', id: `${name}-id` }] }
  const contact = {
    emails: [{ email }],
    phones: [{ phone }],
    ...{ tags, full_name: `${name} Ltda` },
  }
  const { id: company_id } = await createRecord('/v1/companies', { ...owned, ...contact })
  const { id: person_id } = await createRecord('/v1/people', { ...owned, ...contact, company_id })
  const deal = {
    ...owned,
    name: `${name} roof`,
    amount: 7_777_777,
    company_id,
    person_id,
    tags,
    source: name,
  }
  const { id: deal_id } = await createRecord('/v1/deals', deal)
  const task = { ...owned, title: `${name} call`, notes: name, deal_id }
  const { id: task_id } = await createRecord('/v1/tasks', task)
  const { id: activity_id } = await createRecord('/v1/activities', {
    ...{ owner_user_id, entity: 'deals', entity_id: deal_id, content_html: `<p>${name}</p>` },
  })
  return {
    people: person_id,
    companies: company_id,
    deals: deal_id,
    tasks: task_id,
    activities: activity_id,
    email,
    phone,
  }
}

/** Stands for the id of a hidden record, or of one that was deleted. */
const placeholder = (kind: Kind) => `<${kind}>`
const EMAIL = '<email>'
const PHONE = '<phone>'
/** What belongs to nobody and is unique: of two equal calls, the second is refused. */
const UNIQUE = /^\/v1\/(tags|lists|task-types|custom-fields|products|teams|webhooks|imports)/

/** Compares what is answered about hidden records with what is answered about deleted ones. */
class Fuzzer {
  readonly #hidden: Hidden
  readonly #call: (method: string, path: string, body: unknown) => Promise<string>

  constructor(hidden: Hidden, call: (method: string, path: string, body: unknown) => Promise<string>) {
    this.#hidden = hidden
    this.#call = call
  }

  readonly pickStrings = (name: string, format: string | undefined): readonly string[] => {
    const { own, list, tag } = this.#hidden
    const ids = [...KINDS.map(placeholder), own.people, own.companies, own.deals]
    if (format === 'uuid' || name === 'id' || /_id$|^(deals|people|companies)$/.test(name)) return ids
    if (/^(add_|remove_)?tags?$/.test(name)) return [tag.id, 'vip', placeholder('people')]
    if (/lists?$/.test(name)) return [list.id, placeholder('deals')]
    if (name === 'month') return ['2026-11']
    if (format === 'date-time') return ['2026-03-01T12:00:00.000Z']
    if (format === 'email' || name === 'email') return [EMAIL]
    return name === 'phone' ? [PHONE] : ['canary', 'own', placeholder('people')]
  }

  async check(method: string, path: string, body: unknown): Promise<void> {
    const { hidden, deleted } = this.#hidden
    const asHidden = await this.#send(hidden, method, path, body)
    if (method !== 'GET' && UNIQUE.test(path)) return
    expect({ method, path, body, response: asHidden }).toEqual({
      ...{ method, path, body },
      response: await this.#send(deleted, method, path, body),
    })
  }

  /** Returns the response without what is random. @throws if it has anything of a hidden record */
  async #send(ids: Identity, method: string, path: string, body: unknown): Promise<string> {
    const replace = (text: string) =>
      KINDS.reduce((result, kind) => result.replaceAll(placeholder(kind), ids[kind]), text)
        .replaceAll(EMAIL, ids.email)
        .replaceAll(PHONE, ids.phone)
    const input = body === undefined ? undefined : JSON.parse(replace(JSON.stringify(body)))
    const response = await this.#call(method, replace(path), input)
    const received = KINDS.reduce((text, kind) => text.replaceAll(ids[kind], '*'), response)
    for (const kind of KINDS) expect(received).not.toContain(this.#hidden.hidden[kind])
    expect(received).not.toMatch(SECRET)
    const names = [this.#hidden.hidden, this.#hidden.deleted].flatMap(({ email, phone }) => [email, phone])
    return names
      .reduce((text, name) => text.replaceAll(name, '*'), received)
      .replaceAll(UUID, '*')
      .replaceAll(RANDOM_TEXT, '*')
  }
}

/** What only hidden records have: nothing that is sent contains it. */
const SECRET = /canary (Ltda|roof|call)|7777777/

const ofService =
  (service: Service, token: string) => async (method: string, path: string, body: unknown) => {
    const { status, text, headers } = await sendRequest(service.app, method, path, body, { token })
    return `${status} ${headers.get('X-Existing-Id')} ${text}`
  }

const { paths, components } = readCommittedDocument()
const OPERATIONS = operationsOf({ paths }).filter(([name]) => / \/v1\/(?!auth)/.test(name))
const DEFINITIONS = components.schemas as unknown as Readonly<Record<string, InputSchema>>

/** The requests of an operation. In the path there are only ids of others, since a record is deleted once. */
function requestsOf(name: string, operation: (typeof OPERATIONS)[number][1], fuzzer: Fuzzer) {
  const [method, template] = name.split(' ') as [string, string]
  const parameters = (operation.parameters ?? []) as unknown as readonly Parameter[]
  const inPath = fc.constantFrom(...KINDS.map(placeholder))
  const pathIds = parameters.filter((each) => each.in === 'path').map((each) => each.name)
  const query = parameters.filter((each) => each.in === 'query')
  const content = operation.requestBody?.['content'] as
    | Readonly<Record<string, { readonly schema: InputSchema }>>
    | undefined
  const schema = content?.['application/json']?.schema
  const queryInputs = inputsOf(
    {
      type: 'object',
      properties: Object.fromEntries(query.map((each) => [each.name, each.schema])),
      required: query.filter((each) => each.required).map((each) => each.name),
    },
    DEFINITIONS,
    fuzzer.pickStrings,
  )
  return fc
    .tuple(
      fc.tuple(...pathIds.map(() => inPath)),
      queryInputs,
      schema ? inputsOf(schema, DEFINITIONS, fuzzer.pickStrings) : fc.constant(undefined),
    )
    .map(([ids, parameters, body]) => {
      const path = ids.reduce((path, id) => path.replace(/\{\w+\}/, id), template)
      const entries = Object.entries(parameters as object).map(([key, value]) => [key, String(value)])
      const search = entries.map(([key, value]) => `${key}=${encodeURIComponent(value!)}`).join('&')
      const text = search.replaceAll('%3C', '<').replaceAll('%3E', '>')
      return { method, path: search === '' ? path : `${path}?${text}`, body }
    })
}

describeEachStore('what a member does not see', (openStorage) => {
  test('is answered like a deleted record by every operation', async () => {
    const service = await openService(await openStorage(), { limits: NO_LIMITS })
    const hidden = await openHiddenWorkspace(service)
    const fuzzer = new Fuzzer(hidden, ofService(service, hidden.token))
    for (const [name, operation] of OPERATIONS) {
      const requests = fc.sample(requestsOf(name, operation, fuzzer), { numRuns: RUNS, seed: 47 })
      for (const { method, path, body } of requests) await fuzzer.check(method, path, body)
    }
  })

  test('is answered like a deleted record by every tool', async () => {
    const service = await openService(await openStorage(), { limits: NO_LIMITS })
    const hidden = await openHiddenWorkspace(service)
    const callTool = createToolCaller(service.app, hidden.token)
    const fuzzer = new Fuzzer(hidden, async (_, name, input) => {
      const { text, result } = await callTool(name, input as Readonly<Record<string, unknown>>)
      return `${text} ${JSON.stringify(result)}`
    })
    for (const { name, inputSchema } of await listTools(service.app, hidden.token)) {
      const inputs = inputsOf(inputSchema as InputSchema, {}, fuzzer.pickStrings)
      for (const input of fc.sample(inputs, { numRuns: RUNS, seed: 47 }))
        await fuzzer.check('tools/call', name, input)
    }
  })
})
