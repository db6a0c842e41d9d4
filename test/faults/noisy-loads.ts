import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'
import {
  guessPassword,
  HOST,
  headers,
  holdConnections,
  repeatConnections,
  repeatRequests,
  type Target,
} from './noisy-clients.ts'

/** What one workspace does to the service without a pause, while another works beside it. */
export interface NoisyLoad {
  readonly name: string
  readonly settings?: Readonly<Record<string, string>>
  /** Starts the load. It ends soon after `signal` is aborted, and rejects for a response it must not get. */
  run(target: Target, signal: AbortSignal): Promise<void>
}

const MIB = 1024 * 1024
const [ACTIVITIES, ACTIVITY_LENGTH] = [100, 100_000]
/** As many options as a record may hold, by the fewest bytes of a body. */
const [FIELDS, OPTIONS_HELD] = [200, 5]

/** Creates what the loads read and change, and people to search. */
export async function createNoisyRecords(
  { withCore }: FaultEnvironment,
  people: number,
): Promise<Pick<Target, 'personId' | 'customerId' | 'filePath'>> {
  return withCore(async ({ crm }) => {
    const actor = await crm.operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })
    const [person, customer] = await Promise.all([
      crm.people.create(actor, { full_name: 'Ana Large' }),
      crm.people.create(actor, { full_name: 'Bia Options' }),
    ])
    await createEach(ACTIVITIES, () =>
      crm.activities.create(actor, {
        entity: 'people',
        entity_id: person.id,
        content_html: 'x'.repeat(ACTIVITY_LENGTH),
      }),
    )
    const select_list = Array.from({ length: 2 * OPTIONS_HELD }, (_, index) => ({
      key: `o${index}`,
      option: `Option ${index}`,
    }))
    await createEach(FIELDS, (index) =>
      crm.customFields.create(actor, {
        key: `f${index}`,
        label: `Field ${index}`,
        type: 'multi_select',
        value: { select_list },
      }),
    )
    await createEach(people, (index) => crm.people.create(actor, { full_name: `Paula Silva ${index}` }))
    const { attachments } = await crm.activities.create(actor, {
      entity: 'people',
      entity_id: customer.id,
      content_html: 'File',
      attachments: [{ filename: 'file.bin', content: Buffer.alloc(2 * MIB, 'f').toString('base64') }],
    })
    const { pathname: filePath } = new URL(attachments[0]!.url)
    return { personId: person.id, customerId: customer.id, filePath }
  })
}

async function createEach(count: number, create: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - from) }, (_, offset) => create(from + offset)),
    )
}

const largeList = ({ personId }: Target) => `/v1/activities?entity=people&id=${personId}&per_page=100`

export const NOISY_LOADS: readonly NoisyLoad[] = [
  {
    name: 'a hundred lists of ten megabytes at once',
    run: (target, signal) => repeatRequests(target, 100, () => ({ path: largeList(target) }), signal),
  },
  {
    name: 'a hundred and fifty such lists that are not read',
    run: (target, signal) =>
      holdConnections(
        target,
        150,
        () => `GET ${largeList(target)} HTTP/1.1\r\n${headers(target)}\r\n`,
        signal,
      ),
  },
  {
    name: 'deep pages of searches',
    run(target, signal) {
      let page = 0
      const next = () => ({
        path: `/v1/people?search=paula&order_by=full_name&per_page=50&page=${(page++ % 300) + 1}`,
      })
      return repeatRequests(target, 100, next, signal)
    },
  },
  {
    name: 'exports of all people and of ten megabytes of activities',
    run(target, signal) {
      let exports = 0
      const next = () => ({ path: exports++ % 2 === 0 ? '/v1/people/export' : '/v1/activities/export' })
      return repeatRequests(target, 10, next, signal)
    },
  },
  {
    name: 'bodies that stall, large ones with a token and small ones without',
    async run(target, signal) {
      const large = `POST /v1/activities HTTP/1.1\r\n${headers(target)}Content-Type: application/json\r\nContent-Length: ${32 * MIB}\r\n\r\n${'x'.repeat(31 * MIB)}`
      const small = `POST /oauth/token HTTP/1.1\r\nHost: crm.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 65536\r\n\r\na`
      await Promise.all([
        holdConnections(target, 4, () => large, signal),
        holdConnections(target, 1000, () => small, signal),
      ])
    },
  },
  {
    name: 'attachments of twenty megabytes',
    run(target, signal) {
      const attachment = { filename: 'noise.bin', content: Buffer.alloc(2 * MIB, 'n').toString('base64') }
      const body = JSON.stringify({ content_html: 'Noise', attachments: Array(10).fill(attachment) })
      return repeatRequests(target, 10, () => ({ method: 'POST', path: '/v1/activities', body }), signal)
    },
  },
  {
    name: 'updates of two hundred fields with many options',
    // As many apps of one workspace could send.
    settings: { RATE_LIMIT_POST: '100000' },
    run(target, signal) {
      let updates = 0
      const next = () => {
        const first = OPTIONS_HELD * (updates++ % 2)
        const value = Array.from({ length: OPTIONS_HELD }, (_, index) => `o${first + index}`)
        const custom_fields = Array.from({ length: FIELDS }, (_, index) => ({ key: `f${index}`, value }))
        return {
          method: 'PATCH',
          path: `/v1/people/${target.customerId}`,
          body: JSON.stringify({ custom_fields }),
        }
      }
      return repeatRequests(target, 100, next, signal)
    },
  },
  {
    name: 'guesses at a password from hundreds of addresses',
    settings: { TRUST_PROXY: '1' },
    run: guessPassword,
  },
  // The last two use up the window of this machine's address.
  {
    name: 'downloads over a thousand connections',
    run: (target, signal) => repeatRequests(target, 1000, () => ({ path: target.filePath }), signal),
  },
  {
    name: 'pipelined requests without a token',
    run: (target, signal) =>
      repeatConnections(target, 500, `GET /v1/tasks HTTP/1.1\r\n${HOST}\r\n`.repeat(20), signal),
  },
]
