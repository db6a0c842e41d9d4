import { expect, test } from 'vitest'
import { CrmConnectionError, type Import } from '../src/index.ts'
import { openClient, openLiveService } from './support/live-client.ts'
import { openLossyProxy } from './support/lossy-proxy.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const MIB = 1_048_576
const PEOPLE = 'Name;Email\nAna Lima;ana@lima.example\nBob;not an address\n'
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

/** Opens a client behind a proxy, whose waiting is the work of the service in the background. */
async function openImports() {
  const live = await openLiveService()
  const waits: number[] = []
  async function sleep(milliseconds: number) {
    waits.push(milliseconds)
    while (await live.crm.imports.continue()) {
      // Each call takes some steps.
    }
  }
  const proxy = await openLossyProxy(live.port)
  const { crm, advanceClock } = openClient({ url: proxy.url, token: live.acme.token }, live, { sleep })
  return { crm, waits, advanceClock, proxy }
}

async function readAll(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

test('a file is read, checked, run, taken back and deleted', async () => {
  const { crm, waits, advanceClock } = await openImports()
  const { imports, people } = crm
  const { id, state } = await imports.upload({ name: 'people.csv' }, new TextEncoder().encode(PEOPLE))
  expect(state).toBe('reading')
  expect(await imports.wait(id)).toMatchObject({ state: 'ready', rows: 2, kinds: ['people'] })
  expect(await imports.update(id, { policy: 'overwrite' })).toMatchObject({ policy: 'overwrite' })
  await imports.check(id)
  expect((await imports.wait(id, ['checked'])).report).toMatchObject({ rows_with_problems: 1 })
  await imports.run(id)
  const states: string[] = []
  const done = await imports.wait(id, ['done'], { onProgress: (current) => states.push(current.state) })
  expect(done.counts.people).toEqual({ created: 1, updated: 0, unchanged: 0, left_out: 1 })
  expect(states).toEqual(['waiting', 'done'])
  expect(waits).toEqual([500, 500, 500])
  expect(await imports.list()).toMatchObject({ data: [{ id, state: 'done' }] })
  expect(await readAll(imports.failedRows(id))).toBe(
    '\uFEFFName,Email,error\r\nBob,not an address,Email (not an address): Is no e-mail address.\r\n',
  )

  const [ana] = (await people.list()).data
  advanceClock(1000)
  await people.update(ana!.id, { position: 'Chair' })
  await imports.revert(id)
  expect((await imports.wait(id)).reversal).toEqual({
    ...{ done: 1, records: 1, deleted: 0, restored: 0, kept: 1 },
  })
  expect((await imports.kept(id)).data).toMatchObject([{ id: ana!.id, number: 0, reason: 'changed' }])
  const decisions = [{ number: 0, decision: 'revert' }] as const
  expect((await imports.decide(id, { decisions })).reversal).toMatchObject({ deleted: 1, kept: 0 })
  await imports.delete(id)
  await expect(imports.get(id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a part whose response is lost is not sent twice', async () => {
  const { crm, proxy } = await openImports()
  const rows = Array.from({ length: 10 }, (_, index) => `Person ${index};${'é'.repeat(MIB / 2 - 1000)}\n`)
  const file = new Blob(['Name;Position\n', ...rows])
  const received: number[] = []
  const onProgress = (current: Import) => {
    received.push(current.received)
    if (received.length === 1) proxy.loseResponses(1)
  }
  const { id } = await crm.imports.upload({ name: 'people.csv' }, file, { onProgress })
  expect({ received, lost: proxy.lostResponses() }).toEqual({ received: [8 * MIB, file.size], lost: 1 })
  expect(await crm.imports.wait(id)).toMatchObject({ state: 'ready', rows: 10, received: file.size })
})

test('a run is paused, goes on and is ended', async () => {
  const { crm } = await openImports()
  const { id } = await crm.imports.upload({ name: 'people.csv' }, new Blob([PEOPLE]))
  await crm.imports.wait(id)
  await crm.imports.run(id, { confirm_deliveries: true })
  expect(await crm.imports.pause(id)).toMatchObject({ state: 'paused' })
  expect(await crm.imports.wait(id)).toMatchObject({ state: 'paused' })
  expect(await crm.imports.resume(id)).toMatchObject({ state: 'waiting' })
  expect(await crm.imports.cancel(id)).toMatchObject({ state: 'cancelled' })
  await expect(crm.imports.pause(id)).rejects.toMatchObject({
    code: 'conflict',
    fields: { state: 'Is cancelled. Must be waiting or running.' },
  })
})

test('failed rows end with the error of the service, and refuse the response of another', async () => {
  const { crm } = await openImports()
  await expect(readAll(crm.imports.failedRows(UNKNOWN_ID))).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(() => crm.imports.failedRows(UNKNOWN_ID, { timeout: 1 } as never)).toThrow(
    'Unknown option "timeout"',
  )
  const other = await openScriptedServer(() => ({ body: { data: [] } }))
  const { imports } = openClient({ url: other.url, token: 'abc' }).crm
  await expect(readAll(imports.failedRows(UNKNOWN_ID))).rejects.toThrow('is no export of the service')
})

test('failed rows that are cut off are an error, after the text that was received', async () => {
  const { url } = await openScriptedServer(() => ({
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Length': '100' },
    body: '\uFEFFName,error\r\n',
  }))
  const { crm } = openClient({ url, token: 'abc' })
  let received = ''
  const iterate = async () => {
    for await (const text of crm.imports.failedRows(UNKNOWN_ID, { timeoutMs: 500 })) received += text
  }
  await expect(iterate()).rejects.toThrow(CrmConnectionError)
  expect(received).toBe('\uFEFFName,error\r\n')
})

test('a wait and an upload end with the error of the service, or the reason of the signal', async () => {
  const { crm } = await openImports()
  const { imports } = crm
  await expect(imports.wait(UNKNOWN_ID)).rejects.toMatchObject({ code: 'not_found' })
  await expect(imports.upload({ name: 'empty.csv' }, new Blob([]))).rejects.toMatchObject({
    code: 'validation_error',
    fields: { size: expect.any(String) },
  })
  const { id } = await imports.create({ name: 'people.csv', size: 100 })
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const onProgress = () => controller.abort(reason)
  await expect(imports.wait(id, ['done'], { signal: controller.signal, onProgress })).rejects.toBe(reason)
  await expect(imports.wait(id, ['done'], { onProgress: 1 as never })).rejects.toThrow(
    new TypeError('onProgress must be a function.'),
  )
  await expect(imports.wait(id, ['done'], { signals: 1 } as never)).rejects.toThrow(
    'Unknown option "signals". Did you mean "signal"?',
  )
})
