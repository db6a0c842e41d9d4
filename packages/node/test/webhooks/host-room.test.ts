import { describe, expect, test } from 'vitest'
import { hostRoom } from '../../src/webhooks/host-room.ts'

const NONE = new Map<string, number>()

/** Hosts that have answered before. */
function wellRoom(mostPerHost: number, ...hosts: string[]) {
  const room = hostRoom(mostPerHost)
  for (const host of hosts) {
    room.begin([host], room.rooms())
    room.end(host, true)
  }
  return room
}

describe('the room of a host', () => {
  test('is for four until it has answered, and then for all', () => {
    const { begin, end, rooms, mostAtFirst } = hostRoom(16)
    expect([mostAtFirst, rooms()]).toEqual([4, NONE])
    begin(['a', 'b', 'a'], NONE)
    expect(Object.fromEntries(rooms())).toEqual({ a: 2, b: 3 })
    end('a', true)
    expect(Object.fromEntries(rooms())).toEqual({ a: 15, b: 3 })
    end('a', true)
    end('b', true)
    expect(Object.fromEntries(rooms())).toEqual({ a: 16, b: 16 })
  })

  test('is for four again once it gave no answer, and no more is known of it then', () => {
    const { begin, end, rooms } = wellRoom(16, 'a')
    begin(['a', 'a', 'a', 'a', 'a', 'a'], rooms())
    end('a', false)
    expect(Object.fromEntries(rooms())).toEqual({ a: 0 })
    for (let nth = 0; nth < 3; nth++) end('a', false)
    expect(Object.fromEntries(rooms())).toEqual({ a: 2 })
    for (let nth = 0; nth < 2; nth++) end('a', false)
    expect(rooms()).toEqual(NONE)
  })

  test('is no more than the bound, if that is below four', () => {
    const { begin, end, rooms, mostAtFirst } = hostRoom(1)
    expect(mostAtFirst).toBe(1)
    begin(['a'], NONE)
    end('a', true)
    expect(Object.fromEntries(rooms())).toEqual({ a: 1 })
  })

  test('may be waited for when the last claim took all of it', () => {
    const { begin, end, rooms } = wellRoom(2, 'a', 'b')
    expect(begin(['a', 'a', 'b'], rooms())).toBe(false)
    expect(end('b', true)).toBe(false)
    expect(end('a', true)).toBe(true)
    expect(begin([], rooms())).toBe(false)
    expect(end('a', true)).toBe(false)
  })

  test('may be waited for when it came while something was claimed', () => {
    const { begin, end, rooms } = wellRoom(3, 'a')
    begin(['a', 'a', 'a'], rooms())
    const then = rooms()
    end('a', true)
    end('a', true)
    expect(begin([], then)).toBe(true)
    expect(begin(['a'], rooms())).toBe(false)
  })

  test('may be waited for with the first answer of a host of which all was taken that it could have before', () => {
    const { begin, end } = hostRoom(16)
    begin(['a', 'a', 'a', 'a'], NONE)
    expect(end('a', true)).toBe(true)
  })

  test('is not waited for while a host that gave no answer has four or more', () => {
    const { begin, end, rooms } = wellRoom(6, 'a')
    begin(Array(6).fill('a'), rooms())
    expect([end('a', false), end('a', false), end('a', false)]).toEqual([false, false, true])
  })

  test('is remembered of the last five hundred hosts that answered, and of all to which something is being sent', () => {
    const hosts = Array.from({ length: 501 }, (_, nth) => `host ${nth}`)
    const { begin, end, rooms } = wellRoom(16, 'busy', ...hosts)
    begin(['busy'], rooms())
    begin(['host 1'], rooms())
    end('host 1', true)
    begin(['new'], rooms())
    end('new', true)
    const known = rooms()
    expect(known.size).toBe(501)
    expect(['host 0', 'host 1', 'host 2', 'host 3', 'new', 'busy'].map((host) => known.get(host))).toEqual([
      undefined,
      16,
      undefined,
      16,
      16,
      3,
    ])
  })
})
