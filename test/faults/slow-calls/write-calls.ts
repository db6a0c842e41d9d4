import type { Transaction } from '@sales-crm/core/ports'
import type { FaultEnvironment } from '../environment.ts'
import type { ApiCaller, ApiRecord } from './api-caller.ts'

/** A call that writes as much as it may. */
export interface WriteCall {
  readonly name: string
  /** Creates what the call changes, unmeasured. */
  prepare?(): Promise<void>
  run(): Promise<unknown>
}

const MIB = 1_048_576
const [MAX_HTML, MAX_DEALS, MAX_OPTIONS, MAX_ATTACHMENTS] = [100_000, 100, 200, 10]

/** Every kind of POST, PATCH and DELETE at its allowed size, on records that very many others refer to. */
export function listWrites(
  api: ApiCaller,
  { withCore, workspaceId }: Pick<FaultEnvironment, 'withCore' | 'workspaceId'>,
): readonly WriteCall[] {
  return [
    ...listActivityWrites(api),
    ...listContactWrites(api),
    ...listLabelWrites(api),
    ...listSettingsWrites(api),
    ...listWebhookWrites(api, { withCore, workspaceId }),
  ]
}

function listActivityWrites(api: ApiCaller): WriteCall[] {
  const createNote = (content_html: string) => api.write('POST', '/v1/activities', { content_html })
  const attachment = {
    filename: 'file.bin',
    content: Buffer.alloc(2 * MIB, 'file').toString('base64'),
  }
  let note: ApiRecord | undefined
  return [
    { name: 'POST a note of many tags', run: () => createNote(fill('<p>Called <b>Ana</b> &amp; Bia</p>')) },
    { name: 'POST a note of deep lists', run: () => createNote(fill('<ul><li>')) },
    { name: 'POST a note of plain text', run: () => createNote(fill('Called Ana. ')) },
    {
      name: 'PATCH a note of many tags',
      async prepare() {
        note = await createNote('Called')
      },
      run: () =>
        api.write('PATCH', `/v1/activities/${note!.id}`, { content_html: fill('<p>Called <i>Bia</i></p>') }),
    },
    {
      name: 'POST a note with ten attachments',
      async run() {
        const attachments = Array(MAX_ATTACHMENTS).fill(attachment)
        note = await api.write('POST', '/v1/activities', { content_html: 'Files', attachments })
      },
    },
    {
      name: 'DELETE a note with ten attachments',
      run: () => api.write('DELETE', `/v1/activities/${note!.id}`),
    },
    {
      name: 'POST four notes with ten attachments at once',
      run: () =>
        Promise.all(
          Array.from({ length: 4 }, () =>
            api.write(
              'POST',
              '/v1/activities',
              { content_html: 'Files', attachments: Array(MAX_ATTACHMENTS).fill(attachment) },
              [201, 429],
            ),
          ),
        ),
    },
    {
      name: 'POST a product with an image',
      run: () => api.write('POST', '/v1/products', { name: 'Imaged', currency: 'BRL', image: largeImage() }),
    },
  ]
}

function fill(part: string): string {
  return part.repeat(Math.floor(MAX_HTML / part.length))
}

/** The smallest PNG that is recognized, and then bytes that nobody decodes. */
function largeImage(): string {
  const header = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  return Buffer.concat([header, Buffer.alloc(2 * MIB - header.length)]).toString('base64')
}

function listContactWrites(api: ApiCaller): WriteCall[] {
  let [links, person]: [Record<string, string[]>, ApiRecord | undefined] = [{}, undefined]
  const emails = Array.from({ length: 20 }, (_, nth) => ({ email: `large${nth}@large.example` }))
  const phones = Array.from({ length: 20 }, (_, nth) => ({ phone: `+55 11 90000-${1000 + nth}` }))
  return [
    {
      name: 'POST a person with all that it may have, and a hundred deals',
      async prepare() {
        const [tags, lists] = await Promise.all([listIds(api, 'tags'), listIds(api, 'lists')])
        links = { tags, lists, deals: await listIds(api, `deals?per_page=${MAX_DEALS}`) }
      },
      async run() {
        person = await api.write('POST', '/v1/people', { full_name: 'Large', emails, phones, ...links })
      },
    },
    {
      name: 'PATCH a person to no deals',
      run: () => api.write('PATCH', `/v1/people/${person!.id}`, { deals: [] }),
    },
    { name: 'DELETE a person', run: () => api.write('DELETE', `/v1/people/${person!.id}`) },
    {
      name: 'PATCH a company that many refer to',
      async run() {
        const [company] = await api.readPage('/v1/companies?per_page=1')
        if (company)
          await api.write('PATCH', `/v1/companies/${company.id}`, { website: 'https://large.example' })
      },
    },
  ]
}

async function listIds(api: ApiCaller, kind: string): Promise<string[]> {
  return (await api.readPage(`/v1/${kind}`)).map(({ id }) => id)
}

function listLabelWrites(api: ApiCaller): WriteCall[] {
  return ['tags', 'lists'].flatMap((kind): WriteCall[] => {
    const label = async () => (await api.readPage(`/v1/${kind}?per_page=1`))[0]!
    return [
      {
        name: `PATCH one of the ${kind} that many records have`,
        run: async () => api.write('PATCH', `/v1/${kind}/${(await label()).id}`, { name: 'Renamed' }),
      },
      {
        name: `DELETE one of the ${kind} that many records have`,
        run: async () => api.write('DELETE', `/v1/${kind}/${(await label()).id}`),
      },
    ]
  })
}

function listSettingsWrites(api: ApiCaller): WriteCall[] {
  const select = (key: string) => ({
    ...{ label: key, key, type: 'select', show_people: true, show_deals: true },
    value: {
      select_list: Array.from({ length: MAX_OPTIONS }, (_, nth) => ({
        key: `o${nth}`,
        option: `Option ${nth}`,
      })),
    },
  })
  const stages = Array.from({ length: 50 }, (_, nth) => ({ name: `Stage ${nth}` }))
  let [field, pipeline]: [ApiRecord | undefined, ApiRecord | undefined] = [undefined, undefined]
  return [
    {
      name: 'POST a field with two hundred options',
      async run() {
        field = await api.write('POST', '/v1/custom-fields', select('large'))
      },
    },
    {
      name: 'PATCH away the options of a field that no record has',
      run: () =>
        api.write('PATCH', `/v1/custom-fields/${field!.id}`, {
          value: { select_list: [{ key: 'o0', option: 'Option 0' }] },
        }),
    },
    {
      name: 'PATCH away an option that many records have',
      async run() {
        const fields = await api.readPage('/v1/custom-fields?order_by=created_at&order=asc')
        const { id } = fields.find(({ type }) => type === 'select')!
        const value = { select_list: [{ key: 'other', option: 'Other' }] }
        await api.write('PATCH', `/v1/custom-fields/${id}`, { value }, [200, 409])
      },
    },
    { name: 'DELETE a field', run: () => api.write('DELETE', `/v1/custom-fields/${field!.id}`) },
    {
      name: 'POST a pipeline of fifty stages',
      async run() {
        pipeline = await api.write('POST', '/v1/pipelines', { name: 'Large', stages })
      },
    },
    {
      name: 'PATCH a pipeline of fifty stages to one',
      run: () => api.write('PATCH', `/v1/pipelines/${pipeline!.id}`, { stages: [{ name: 'Only' }] }),
    },
    { name: 'DELETE a pipeline', run: () => api.write('DELETE', `/v1/pipelines/${pipeline!.id}`) },
    {
      name: 'PATCH away the stages of a pipeline with many deals',
      async run() {
        const [first] = await api.readPage('/v1/pipelines?order_by=created_at&order=asc')
        await api.write('PATCH', `/v1/pipelines/${first!.id}`, { stages: [{ name: 'Only' }] }, [200, 409])
      },
    },
    {
      name: 'DELETE a pipeline with many deals',
      async run() {
        const [first] = await api.readPage('/v1/pipelines?order_by=created_at&order=asc')
        await api.write('DELETE', `/v1/pipelines/${first!.id}`, undefined, [204, 409])
      },
    },
  ]
}

const DELIVERIES = 5_000

/** A webhook with many pending deliveries. Its receiver is not reachable. */
function listWebhookWrites(
  api: ApiCaller,
  { withCore, workspaceId }: Pick<FaultEnvironment, 'withCore' | 'workspaceId'>,
): WriteCall[] {
  let webhook: ApiRecord | undefined
  return [
    {
      name: 'DELETE a webhook with many pending deliveries',
      async prepare() {
        webhook = await api.write('POST', '/v1/webhooks', {
          url: 'https://127.0.0.1:9/hook',
          events: ['task.created'],
        })
        await withCore(async ({ storage }) => {
          await storage.transact((tx) => insertPending(tx, workspaceId, webhook!.id))
        })
      },
      run: () => api.write('DELETE', `/v1/webhooks/${webhook!.id}`),
    },
  ]
}

async function insertPending(tx: Transaction, workspaceId: string, webhook_id: string): Promise<void> {
  const { snapshots, deliveries } = tx.workspace(workspaceId)
  const at = new Date().toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const snapshot = {
    ...{ id: crypto.randomUUID(), entity: '"task":{}}', subject: null },
    ...{ created_at: at, updated_at: at },
  }
  await snapshots.insert(snapshot)
  const rows = Array.from({ length: DELIVERIES }, () => ({
    ...{ id: crypto.randomUUID(), webhook_id, event: 'task.created' as const, snapshot_id: snapshot.id },
    ...{ status: 'pending' as const, reason: null, attempts: [], attempts_count: 0, last_attempt: false },
    ...{ due_at: later, sending: false, lease: 0, created_at: at, updated_at: at },
  }))
  await deliveries.insertMany(rows)
}
