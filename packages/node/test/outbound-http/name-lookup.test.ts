import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { passwords } from '../../src/index.ts'
import { createLookup } from '../../src/outbound-http/name-lookup.ts'
import { openNameServer } from './name-server.ts'
import { openLab } from './network-lab.ts'

const V4 = { address: '8.8.8.8', family: 4 }
const V6 = { address: '2606:4700::1111', family: 6 }

let server: Awaited<ReturnType<typeof openNameServer>>
let controller: AbortController

beforeEach(async () => {
  controller = new AbortController()
  server = await openNameServer({
    'both.lab.test': ['2606:4700::1111', '8.8.8.8', '127.0.0.2'],
    'old.lab.test': ['8.8.8.8'],
    'new.lab.test': ['2606:4700::1111'],
    'A broken.lab.test': ['8.8.8.8'],
    'AAAA broken.lab.test': 'fails',
    'A half.lab.test': ['8.8.8.8'],
    'AAAA half.lab.test': 'silent',
    'empty.lab.test': [],
    'failing.lab.test': 'fails',
    'silent.lab.test': 'silent',
    localhost: 'fails',
  })
})

afterEach(() => {
  controller.abort()
  server.close()
})

const resolveName = (name: string, allowsLocalNames = false) =>
  createLookup({ allowsAll: false, allowsLocalNames }, [server.address])(name, controller.signal)

describe('a name lookup', () => {
  test('returns the addresses of both families, IPv4 first', async () => {
    expect(await resolveName('both.lab.test')).toEqual([V4, { address: '127.0.0.2', family: 4 }, V6])
  })

  test('tolerates a family that is missing or whose query fails', async () => {
    expect(await resolveName('old.lab.test')).toEqual([V4])
    expect(await resolveName('new.lab.test')).toEqual([V6])
    expect(await resolveName('broken.lab.test')).toEqual([V4])
    expect(await resolveName('half.lab.test')).toEqual([V4])
  })

  test.each(['unknown.lab.test', 'empty.lab.test', 'failing.lab.test', 'localhost'])(
    'rejects when there is no address: %s',
    async (name) => {
      await expect(resolveName(name)).rejects.toThrow('No name server knows an address.')
    },
  )

  test('falls back to the system when local names are allowed', async () => {
    const addresses = (await resolveName('localhost', true)).map(({ address }) => address)
    expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(addresses))
    expect(addresses).not.toEqual([])
    expect(await resolveName('old.lab.test', true)).toEqual([V4])
  })

  test('queries no name server for a local name, or when every address is allowed', async () => {
    const lookup = createLookup({ allowsAll: true, allowsLocalNames: true }, [server.address])
    expect(await lookup('localhost', controller.signal)).not.toEqual([])
    await expect(lookup('old.lab.test', controller.signal)).rejects.toThrow('ENOTFOUND')
    expect(await resolveName('localhost', true)).not.toEqual([])
    expect(server.queries).toEqual([])
  })

  test('ends when it is aborted, without asking the system', async () => {
    const queried = server.nextQuery()
    const lookingUp = expect(resolveName('silent.lab.test', true)).rejects.toThrow(
      'No name server knows an address.',
    )
    await queried
    controller.abort()
    await lookingUp
  })

  test('does not delay passwords or files when name servers do not reply', async () => {
    const queried = server.nextQuery()
    const lookups = Array.from({ length: 64 }, () => resolveName('silent.lab.test').catch(() => 'ended'))
    await queried
    await Promise.all([passwords.hash('correct horse'), readFile(import.meta.filename)])
    expect(await Promise.race([...lookups, 'waiting'])).toBe('waiting')
    controller.abort()
    expect(new Set(await Promise.all(lookups))).toEqual(new Set(['ended']))
  })
})

test('a fetch checks the addresses from the name servers and the system', async () => {
  const lab = await openLab()
  const limits = { deadlineMs: 20_000, maxBytes: 1000 }
  const urlOf = (name: string) => `https://${name}:${lab.port}/bytes/1`
  const lookupOptions = (allowsLocalNames: boolean) => ({
    lookup: createLookup({ allowsAll: false, allowsLocalNames }, [server.address]),
  })
  expect(await lab.createFetch(lookupOptions(false))(urlOf('both.lab.test'), limits)).toEqual({
    failure: 'refused',
  })
  expect(await lab.createFetch(lookupOptions(false))(urlOf('unknown.lab.test'), limits)).toEqual({
    failure: 'failed',
  })
  const fetchUrl = lab.createFetch({ ...lookupOptions(true), allowCidrs: ['10.0.0.0/8'] })
  expect(await fetchUrl(urlOf('localhost'), limits)).toEqual({ failure: 'refused' })
  expect(await lab.reset()).toEqual({ visits: 0 })
  await lab.close()
})
