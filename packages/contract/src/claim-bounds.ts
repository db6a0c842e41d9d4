import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { claim, delivery, eventsOf, longAgo, posted } from './outbox-samples.ts'

const TO = { a: { host: 'a.example' }, b: { host: 'b.example' }, c: { host: 'c.example' } }

/** How much is claimed, and what first: part of `claims`. */
export const bounds: readonly Case[] = [
  {
    name: 'the host that has waited longest goes first',
    async run(context) {
      const rows = [
        delivery('a1', { ...TO.a, due_at: longAgo(-20) }),
        delivery('b1', { ...TO.b, due_at: longAgo(-10) }),
        delivery('c1', { ...TO.c, due_at: longAgo(-30) }),
      ]
      await posted(context, rows)
      expect(await oneByOne(context, 4)).toEqual(['c1', 'a1', 'b1'])
    },
  },
  {
    name: 'of each host goes first what has been due longest',
    async run(context) {
      const rows = [5, 1, 4, 2, 3].map((nth) => delivery(`a${nth}`, { due_at: longAgo(nth - 100), created_at: longAgo(-nth) }))
      await posted(context, rows)
      expect(await oneByOne(context, 6)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    },
  },
  {
    name: 'no host gets more than `mostPerHost`, or than `room` says of it, and all together no more than `most`',
    async run(context) {
      const hosts = Object.entries(TO)
      const rows = hosts.flatMap(([name, to], host) =>
        [1, 2, 3].map((nth) => delivery(`${name}${nth}`, { ...to, due_at: longAgo(host * 10 + nth - 100) })),
      )
      await posted(context, rows)
      const room = new Map([
        ['b.example', 1],
        ['c.example', 3],
        ['elsewhere.example', 5],
      ])
      expect(eventsOf(await claim(context, { most: 4, mostPerHost: 2, room }))).toEqual(['a1', 'a2', 'b1', 'c1'])
      expect(eventsOf(await claim(context, { most: 9, mostPerHost: 0, room }))).toEqual(['b2', 'c2', 'c3'])
      expect(await claim(context, { most: 0 })).toEqual([])
      expect(eventsOf(await claim(context))).toEqual(['a3', 'b3'])
    },
  },
  {
    name: 'a host with no room is left alone, and what waits for it keeps no other waiting',
    async run(context) {
      const busy = Array.from({ length: 300 }, (_, nth) => delivery('busy', { due_at: longAgo(nth - 1000) }))
      await posted(context, [...busy, delivery('other', TO.b)])
      expect(eventsOf(await claim(context, { most: 1, room: new Map([['a.example', 0]]) }))).toEqual(['other'])
      expect(await claim(context, { room: new Map([['a.example', 0]]) })).toEqual([])
    },
  },
  {
    name: 'a host with little room is given no more, and the others what is left',
    async run(context) {
      const busy = Array.from({ length: 300 }, (_, nth) => delivery('a', { due_at: longAgo(nth - 1000) }))
      const others = ['b1', 'b2', 'b3'].map((event, nth) => delivery(event, { ...TO.b, due_at: longAgo(nth - 10) }))
      await posted(context, [...busy, ...others, delivery('c1', TO.c)])
      expect(eventsOf(await claim(context, { most: 7, mostPerHost: 2 }))).toEqual(['a', 'a', 'b1', 'b2', 'c1'])
      expect(eventsOf(await claim(context, { most: 3, mostPerHost: 2 }))).toEqual(['a', 'a', 'b3'])
    },
  },
]

async function oneByOne(context: Context, times: number): Promise<string[]> {
  const events: string[] = []
  for (let time = 0; time < times; time += 1) events.push(...eventsOf(await claim(context, { most: 1 })))
  return events
}
