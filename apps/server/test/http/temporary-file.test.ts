import { expect, test, vi } from 'vitest'
import { TemporaryFile } from '../../src/http/temporary-file.ts'
import { listTemporaryFiles } from '../support/open-files.ts'

async function createFile(text: string): Promise<TemporaryFile> {
  const file = await TemporaryFile.create()
  await file.write(text)
  return file
}

const LARGE = 'é'.repeat(100_000)

test('a stream has what was written, and closes the file at its end', async () => {
  const file = await createFile(LARGE)
  await file.write('end')
  expect(await file.size()).toBe(200_003)
  const stream = file.toStream({ unreadMs: 1000, disconnect: () => {} })
  expect(await new Response(stream).text()).toBe(`${LARGE}end`)
  await expect(file.size()).rejects.toThrow('file closed')
})

test('no other process can find the file', async ({ skip }) => {
  const files = await listTemporaryFiles()
  skip(files === undefined, 'Requires /proc.')
  const file = await createFile('x')
  expect(await listTemporaryFiles()).toEqual([expect.stringMatching(/ \(deleted\)$/)])
  await file.close()
  expect(await listTemporaryFiles()).toEqual([])
})

test('a reader that takes nothing is disconnected, and the file closed', async () => {
  const file = await createFile(LARGE)
  const disconnect = vi.fn()
  const reader = file.toStream({ unreadMs: 20, disconnect }).getReader()
  await reader.read()
  await vi.waitFor(() => expect(disconnect).toHaveBeenCalledTimes(1))
  await vi.waitFor(() => expect(file.size()).rejects.toThrow('file closed'))
})

test('a canceled stream closes the file', async () => {
  const file = await createFile(LARGE)
  const disconnect = vi.fn()
  const reader = file.toStream({ unreadMs: 20, disconnect }).getReader()
  await reader.read()
  await reader.cancel()
  await expect(file.size()).rejects.toThrow('file closed')
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(disconnect).not.toHaveBeenCalled()
})
