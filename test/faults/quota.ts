import type { Fault } from './fault.ts'
import { createOtherWorkspace } from './other-workspace.ts'

const MEGABYTES = { brief: 20, thorough: 1000 }
const MB = 1_000_000
const UPLOADERS = 8
const FILE_BYTES = 300_000
/** Uploads that are on their way while the size is measured may exceed the quota. */
const TOLERANCE_BYTES = 2 * UPLOADERS * FILE_BYTES
/** A size is measured at most this often. */
const MEASURED_WITHIN_MS = 15_000

/** A workspace that uploads without a pause stops at its quota. Others are served, and deletions make room. */
export const quota: Fault = {
  name: 'quota',
  title: 'a workspace that fills its quota',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const service = await environment.startService({ QUOTA_MEGABYTES: String(MEGABYTES[effort]) })
    const { token: neighbour } = await createOtherWorkspace(environment)
    const send = createClient(service.port)
    const ids = (
      await Promise.all(Array.from({ length: UPLOADERS }, () => fill(send, environment.token)))
    ).flat()
    const size = await readBytes(send, environment.token)
    if (Math.abs(size - MEGABYTES[effort] * MB) > TOLERANCE_BYTES)
      throw new Error(`The workspace holds ${size} bytes, with a quota of ${MEGABYTES[effort]} MB.`)
    const other = await send('POST', '/v1/tasks', neighbour, { title: 'Call back' })
    if (other.status !== 201) throw new Error(`A write of the neighbour was answered ${other.status}.`)

    const deleted = ids.slice(0, 2 * UPLOADERS)
    for (const id of deleted) await send('DELETE', `/v1/activities/${id}`, environment.token)
    const deadline = performance.now() + MEASURED_WITHIN_MS
    while ((await upload(send, environment.token)).status !== 201)
      if (performance.now() > deadline) throw new Error('Deletions made no room.')
    await service.stop()
    return `${ids.length} uploads until ${(size / MB).toFixed(1)} of ${MEGABYTES[effort]} MB; ${deleted.length} deletions made room`
  },
}

type Send = ReturnType<typeof createClient>

function createClient(port: number) {
  return async (method: string, path: string, token: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as { data?: unknown }) }
  }
}

/** Uploads until the first 403. A response may be lost when its connection is closed with the body unread. */
async function fill(send: Send, token: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { status, json } = await upload(send, token)
    if (status === 403) return ids
    if (status !== 201 && status !== 429) throw new Error(`An upload was answered ${status}.`)
    if (status === 201) ids.push((json.data as { id: string }).id)
  }
}

async function upload(send: Send, token: string) {
  const content = Buffer.alloc(FILE_BYTES, 'q').toString('base64')
  const attachments = [{ filename: 'quota.bin', content }]
  return send('POST', '/v1/activities', token, { content_html: 'Contract', attachments })
}

async function readBytes(send: Send, token: string): Promise<number> {
  const { json } = await send('GET', '/v1/workspace', token)
  return (json.data as { storage: { bytes: number } }).storage.bytes
}
