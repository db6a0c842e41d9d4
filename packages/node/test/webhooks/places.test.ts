import { describe, expect, test } from 'vitest'
import { places } from '../../src/webhooks/places.ts'
import { ANSWERED, SILENT, SLOW } from './queue.ts'

const BOUNDS = { most: 512, mostPerWorkspace: 128, mostPerHost: 32 }
const PLENTY = 1000

interface To {
  readonly workspace_id?: string
  readonly webhook_id?: string
  readonly host?: string
}

/** Of workspace `w` and webhook `h`, on a host of the webhook's own. */
function place({ workspace_id = 'w', webhook_id = 'h', host = `${webhook_id}.example` }: To = {}) {
  return { workspace_id, webhook_id, host }
}

function ofBounds(bounds: Partial<typeof BOUNDS> = {}) {
  const { room, end, ...rest } = places({ ...BOUNDS, ...bounds })
  const underWay: ReturnType<typeof place>[] = []

  function begin(claimed: typeof underWay): boolean {
    underWay.push(...claimed)
    return rest.begin(claimed)
  }

  /** How many of each lane one claim may take, of which nothing has begun yet. */
  function asked(...lanes: readonly (To & { readonly waiting?: number })[]): number[] {
    const { each, share } = room()!
    return lanes.map(({ waiting = PLENTY, ...to }) => share({ ...place(to), waiting: Math.min(each, waiting) }))
  }

  /** Claims all it may, and begins that. */
  function begun(...lanes: readonly To[]): number[] {
    const counts = asked(...lanes)
    begin(lanes.flatMap((to, nth) => Array.from({ length: counts[nth]! }, () => place(to))))
    return counts
  }

  function ended(to: To = {}, outcome = ANSWERED): boolean {
    const name = JSON.stringify(place(to))
    const [first] = underWay.splice(
      underWay.findIndex((each) => JSON.stringify(each) === name),
      1,
    )
    return end(first!, outcome)
  }

  /** Had these answered before, and leaves nothing under way. */
  function known(outcome: typeof ANSWERED, ...lanes: readonly To[]): void {
    for (const to of lanes) {
      asked(to)
      begin([place(to)])
      ended(to, outcome)
    }
  }

  return { room, begin, end, asked, begun, ended, known }
}

describe('a webhook', () => {
  test('has four places while nothing is known of it, but no more than wait', () => {
    const { asked, begin } = ofBounds()
    expect(asked({})).toEqual([4])
    begin([])
    expect(asked({ waiting: 3 })).toEqual([3])
  })

  test.each([
    ['as many as its host once it answered within a second', { ...ANSWERED, duration_ms: 1000 }, 32],
    ['as many as its host once it refused within a second', { ...ANSWERED, status: 500 }, 32],
    ['two once it took longer', SLOW, 2],
    ['two once it gave no answer', SILENT, 2],
    ['two once it gave none at once', { ...SILENT, duration_ms: 1 }, 2],
  ])('has %s', (_what, outcome, count) => {
    const { asked, known } = ofBounds()
    known(outcome, {})
    expect(asked({})).toEqual([count])
  })

  test('is known by what it did the last time alone', () => {
    const { asked, begin, known } = ofBounds()
    known(SILENT, {})
    known(ANSWERED, {})
    expect(asked({})).toEqual([32])
    begin([])
    known(SLOW, {})
    expect(asked({})).toEqual([2])
  })

  test('has none beside those that are under way, though they became too many', () => {
    const { asked, begin, begun, ended } = ofBounds()
    expect(begun({})).toEqual([4])
    ended({}, SILENT)
    expect(asked({})).toEqual([0])
    begin([])
    ended({}, SILENT)
    ended({}, SILENT)
    expect(asked({})).toEqual([1])
  })

  test('is another one in another workspace, and the same one on another host', () => {
    const { asked, known } = ofBounds()
    known(SLOW, { host: 'a.example' })
    expect(asked({ host: 'b.example' }, { workspace_id: 'v', host: 'a.example' })).toEqual([2, 4])
  })

  test('that hangs gets no more by names that are always new', () => {
    const { begun, ended } = ofBounds()
    begun({})
    for (let nth = 0; nth < 3; nth += 1) ended({}, SILENT)
    for (let nth = 0; nth < 100; nth += 1) {
      expect(begun({ host: `host-${nth}.example` })).toEqual([1])
      ended({ host: `host-${nth}.example` }, SILENT)
    }
  })

  test('is forgotten once five thousand others ended a send since its last, and begins again', () => {
    const { asked, begin, known } = ofBounds()
    const others = (count: number, from: number) => Array.from({ length: count }, (_, nth) => ({ webhook_id: `other ${from + nth}` }))
    known(SILENT, { webhook_id: 'other 0' })
    known(SILENT, {}, ...others(4999, 0))
    expect(asked({})).toEqual([2])
    begin([])
    known(SILENT, ...others(1, 5000))
    expect(asked({}, { webhook_id: 'other 0' })).toEqual([4, 2])
  })
})

describe('a host', () => {
  test('is bounded for all webhooks together, of all workspaces', () => {
    const lanes = Array.from({ length: 18 }, (_, nth) => ({ workspace_id: `w ${nth}`, host: 'a.example' }))
    const { begun, asked } = ofBounds()
    expect(begun(...lanes)).toEqual([...Array(16).fill(4), 0, 0])
    expect(asked(...lanes, {})).toEqual([...Array(18).fill(0), 4])
  })

  test('is never all of one workspace, however many webhooks it has there', () => {
    const lanes = Array.from({ length: 10 }, (_, nth) => ({ webhook_id: `h ${nth}`, host: 'shared.example' }))
    const { begun, asked } = ofBounds()
    expect(begun(...lanes)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 0, 0])
    expect(asked(...lanes, { workspace_id: 'other', host: 'shared.example' })).toEqual([...Array(10).fill(0), 4])
  })

  test('of which one webhook hangs is open to another: the first has two places of it', () => {
    const [hangs, answers] = [
      { webhook_id: 'hangs', host: 'shared.example' },
      { workspace_id: 'other', webhook_id: 'answers', host: 'shared.example' },
    ]
    const { begun, known } = ofBounds()
    known(SILENT, hangs)
    known(ANSWERED, answers)
    expect(begun(hangs, answers)).toEqual([2, 32])
  })
})

test('a workspace has a part of all places, so that its dead receivers leave the others theirs', () => {
  const dead = Array.from({ length: 50 }, (_, nth) => ({ webhook_id: `dead ${nth}` }))
  const { begun, asked, begin, ended } = ofBounds()
  expect(begun(...dead)).toEqual([...Array(32).fill(4), ...Array(18).fill(0)])
  expect(asked(...dead, { workspace_id: 'other' })).toEqual([...Array(50).fill(0), 4])
  begin([])
  expect(ended(dead[0], SILENT)).toBe(true)
  expect(asked(...dead)).toEqual([0, ...Array(31).fill(0), 1, ...Array(17).fill(0)])
})

describe('webhooks that were not quick', () => {
  const of = (name: string, count: number) =>
    Array.from({ length: count }, (_, nth) => ({ workspace_id: `${name} ${nth % 8}`, webhook_id: `${name} ${nth}` }))

  test('have half of all places together, and with those nobody knows three quarters', () => {
    const { begun, known } = ofBounds()
    const slow = of('slow', 200)
    known(SILENT, ...slow)
    expect(begun(...slow)).toEqual([...Array(128).fill(2), ...Array(72).fill(0)])
    expect(begun(...of('new', 40))).toEqual([...Array(32).fill(4), ...Array(8).fill(0)])
  })

  test('leave a quarter to those that were quick, whatever waits for them and since when', () => {
    const { begun, known } = ofBounds()
    const quick = { workspace_id: 'quick', webhook_id: 'quick' }
    known(ANSWERED, quick)
    begun(...of('new', 200))
    expect(begun(quick)).toEqual([32])
  })

  test('leave the places they had, though they answered meanwhile', () => {
    const { begun, known, ended } = ofBounds({ most: 8, mostPerWorkspace: 8, mostPerHost: 8 })
    const slow = { webhook_id: 'slow' }
    known(SILENT, slow)
    for (let nth = 0; nth < 20; nth += 1) {
      expect(begun(slow)).toEqual([nth === 0 ? 2 : 8])
      for (let sent = 0; sent < (nth === 0 ? 2 : 8); sent += 1) ended(slow)
    }
    known(SILENT, { webhook_id: 'other' })
    expect(begun({ webhook_id: 'other' })).toEqual([2])
  })
})

describe('all places', () => {
  test('are shared by those that have waited longest, and then there is nothing to ask for', () => {
    const { begun, room, ended, known } = ofBounds({ most: 40 })
    const lanes = ['a', 'b', 'c'].map((webhook_id) => ({ webhook_id }))
    known(ANSWERED, ...lanes)
    expect(begun(...lanes)).toEqual([32, 8, 0])
    expect(room()).toBeUndefined()
    expect(ended({ webhook_id: 'a' })).toBe(true)
    expect(begun({ webhook_id: 'c' })).toEqual([1])
  })

  test('may be waited for by what came while they were taken', () => {
    const { asked, begin, room, ended } = ofBounds({ most: 2 })
    asked({ waiting: 2 })
    begin([place(), place()])
    expect(room()).toBeUndefined()
    expect(ended()).toBe(true)
  })
})

describe('the end of a send', () => {
  test('is waited for where a lane got less than it has, and nowhere else', () => {
    const [full, small] = [{ webhook_id: 'full' }, { webhook_id: 'small', waiting: 3 }]
    const { asked, begin, ended } = ofBounds()
    expect(asked(full, small)).toEqual([4, 3])
    begin([...Array(4).fill(place(full)), ...Array(3).fill(place(small))])
    expect(ended(small)).toBe(false)
    expect(ended(full)).toBe(true)
  })

  test('is waited for where a quick one had all its host has, of which no more is counted', () => {
    const { known, asked, begin, ended } = ofBounds({ mostPerHost: 8 })
    known(ANSWERED, {})
    expect(asked({ waiting: 9 })).toEqual([8])
    begin(Array.from({ length: 8 }, () => place()))
    expect(ended()).toBe(true)
    expect(asked({ waiting: 1 })).toEqual([1])
    begin([place()])
    expect(ended()).toBe(false)
  })

  test('is not waited for while a webhook that gave no answer has two or more', () => {
    const { begun, ended } = ofBounds()
    begun({})
    expect([ended({}, SILENT), ended({}, SILENT), ended({}, SILENT)]).toEqual([false, false, true])
  })

  test('is waited for where it came after a lane was asked about, while it was claimed', () => {
    const { asked, begin, begun, ended } = ofBounds()
    begun({})
    expect(asked({})).toEqual([0])
    expect(ended()).toBe(true)
    expect(begin([])).toBe(false)
    expect(asked({})).toEqual([29])
  })

  test('is not waited for any more once a claim found nothing left', () => {
    const { asked, begin, begun, ended } = ofBounds()
    begun({})
    asked()
    begin([])
    expect(ended()).toBe(false)
  })
})

describe('places that a claim was promised', () => {
  const [first, second] = [
    { webhook_id: 'first', host: 'a.example' },
    { webhook_id: 'second', host: 'a.example' },
  ]

  test('and did not take are free, and others may go on', () => {
    const { asked, begin } = ofBounds({ mostPerHost: 4 })
    expect(asked(first, second)).toEqual([4, 0])
    expect(begin([place(first)])).toBe(true)
    expect(asked(first, second)).toEqual([3, 0])
    expect(begin(Array.from({ length: 3 }, () => place(first)))).toBe(false)
  })

  test('and of which it took nothing are free, and nothing is asked again for them', () => {
    const { asked, begin } = ofBounds({ mostPerHost: 4 })
    expect(asked(first, second)).toEqual([4, 0])
    expect(begin([])).toBe(false)
    expect(asked(second, first)).toEqual([4, 0])
  })

  test('are promised once to a transaction that is done again', () => {
    const { room, begin, begun } = ofBounds({ most: 8 })
    const { share } = room()!
    const lane = { ...place(), waiting: 4 }
    const other = { ...place({ webhook_id: 'other' }), waiting: 4 }
    expect([share(lane), share(other)]).toEqual([4, 2])
    expect([share(lane), share({ ...other, waiting: 1 }), share(lane)]).toEqual([4, 1, 4])
    expect([share({ ...lane, waiting: 0 }), share({ ...other, waiting: 4 }), share(lane)]).toEqual([0, 4, 2])
    begin([])
    expect(begun({ webhook_id: 'a' }, { webhook_id: 'b' })).toEqual([4, 2])
  })

  test('are counted where they are sent: the receiver may have moved since', () => {
    const { asked, begin } = ofBounds({ mostPerHost: 4 })
    asked(first)
    begin(Array.from({ length: 4 }, () => place({ ...first, host: 'b.example' })))
    expect(asked(second, { webhook_id: 'third', host: 'b.example' })).toEqual([4, 0])
  })
})

test('a place is free again once its send has ended, however many names there were', () => {
  const { begun, ended, asked } = ofBounds({ most: 4, mostPerWorkspace: 2, mostPerHost: 1 })
  for (let nth = 0; nth < 1000; nth += 1) {
    const to = { workspace_id: `w ${nth}`, webhook_id: `h ${nth}` }
    expect(begun(to)).toEqual([1])
    ended(to, SILENT)
  }
  expect(asked({ workspace_id: 'w 0', webhook_id: 'x' }, { workspace_id: 'w 0', webhook_id: 'y' })).toEqual([1, 1])
})
