import { CrmApiError, CrmConnectionError, type Import } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { sendFile } from './send-file.ts'

const MIB = 1_048_576
const begun = { id: 'a', state: 'uploading', received: 0 } as Import

/** A service that takes parts, and fails by `faults`: before a part has arrived, or after it. */
function openService(size: number, faults: ((received: number) => void)[] = []) {
  let received = 0
  const offsets: number[] = []
  const view = () => ({ ...begun, received, state: received === size ? 'reading' : 'uploading' }) as Import
  return {
    offsets,
    calls: {
      get: async () => view(),
      async upload(_id: string, offset: number, part: Blob) {
        if (offset !== received) throw new CrmApiError('Must be received.', { status: 409 })
        offsets.push(offset)
        received += part.size
        faults.shift()?.(received)
        return view()
      },
      wait: async () => {},
    },
  }
}

test('a file is sent in parts, and goes on where it has arrived after a lost response', async () => {
  const lose = () => {
    throw new CrmConnectionError('Lost.')
  }
  const { offsets, calls } = openService(10 * MIB, [() => {}, lose])
  const shown: number[] = []
  const sent = await sendFile(begun, new Blob([new Uint8Array(10 * MIB)]), calls, ({ received }) =>
    shown.push(received),
  )
  expect(sent.state).toBe('reading')
  expect(offsets).toEqual([0, 4 * MIB, 8 * MIB])
  expect(shown).toEqual([4 * MIB, 8 * MIB, 10 * MIB])
})

test('a refusal ends it', async () => {
  const refuse = () => {
    throw new CrmApiError('Full.', { status: 403 })
  }
  const { calls } = openService(2, [refuse])
  await expect(sendFile(begun, new Blob(['ab']), calls, () => {})).rejects.toMatchObject({ status: 403 })
})
