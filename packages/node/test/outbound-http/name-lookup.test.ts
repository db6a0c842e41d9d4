import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { passwords } from '../../src/index.ts'
import { createLookup } from '../../src/outbound-http/name-lookup.ts'
import { openNameServer } from './name-server.ts'
import { openLab } from './network-lab.ts'

const V4 = { address: '8.8.8.8', family: 4 }
const V6 = { address: '2606:4700::1111', family: 6 }

let server: Awaited<ReturnType<typeof openNameServer>>
let end: AbortController

beforeEach(async () => {
  end = new AbortController()
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
  end.abort()
  server.close()
})

const found = (name: string, allowsLocalNames = false) =>
  createLookup({ allowsAll: false, allowsLocalNames }, [server.address])(name, end.signal)

describe('looking a name up', () => {
  test('finds all its addresses of both families, those of the first that most machines can reach first', async () => {
    expect(await found('both.lab.test')).toEqual([V4, { address: '127.0.0.2', family: 4 }, V6])
  })

  test('finds what there is where a family is missing or its query fails', async () => {
    expect(await found('old.lab.test')).toEqual([V4])
    expect(await found('new.lab.test')).toEqual([V6])
    expect(await found('broken.lab.test')).toEqual([V4])
    expect(await found('half.lab.test')).toEqual([V4])
  })

  test.each(['unknown.lab.test', 'empty.lab.test', 'failing.lab.test', 'localhost'])(
    'rejects where there is none: %s',
    async (name) => {
      await expect(found(name)).rejects.toThrow('No name server knows an address.')
    },
  )

  test('asks the system for a name that no name server knows, where local names may be used', async () => {
    const local = (await found('localhost', true)).map(({ address }) => address)
    expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(local))
    expect(local).not.toEqual([])
    expect(await found('old.lab.test', true)).toEqual([V4])
  })

  test('asks no name server for a local name, nor for any where every address is open', async () => {
    const open = createLookup({ allowsAll: true, allowsLocalNames: true }, [server.address])
    expect(await open('localhost', end.signal)).not.toEqual([])
    await expect(open('old.lab.test', end.signal)).rejects.toThrow('ENOTFOUND')
    expect(await found('localhost', true)).not.toEqual([])
    expect(server.asked).toEqual([])
  })

  test('is over as soon as nobody waits for it, and then the system is not asked either', async () => {
    const asked = server.nextQuestion()
    const looking = expect(found('silent.lab.test', true)).rejects.toThrow('No name server knows an address.')
    await asked
    end.abort()
    await looking
  })

  test('holds up neither passwords nor files, however many name servers are silent', async () => {
    const asked = server.nextQuestion()
    const looking = Array.from({ length: 64 }, () => found('silent.lab.test').catch(() => 'ended'))
    await asked
    await Promise.all([passwords.hash('correct horse'), readFile(import.meta.filename)])
    expect(await Promise.race([...looking, 'waiting'])).toBe('waiting')
    end.abort()
    expect(new Set(await Promise.all(looking))).toEqual(new Set(['ended']))
  })
})

test('a guard asks the name servers, and judges what they and the system say', async () => {
  const lab = await openLab()
  const limits = { deadlineMs: 20_000, maxBytes: 1000 }
  const at = (name: string) => `https://${name}:${lab.port}/bytes/1`
  const byServer = (allowsLocalNames: boolean) => ({
    lookup: createLookup({ allowsAll: false, allowsLocalNames }, [server.address]),
  })
  expect(await lab.guard(byServer(false)).fetch(at('both.lab.test'), limits)).toEqual({ failure: 'refused' })
  expect(await lab.guard(byServer(false)).fetch(at('unknown.lab.test'), limits)).toEqual({
    failure: 'failed',
  })
  const guard = lab.guard({ ...byServer(true), allowCidrs: ['10.0.0.0/8'] })
  expect(await guard.fetch(at('localhost'), limits)).toEqual({ failure: 'refused' })
  expect(await lab.settled()).toEqual({ visits: 0 })
  await lab.close()
})
