import { describe, expect, test } from 'vitest'
import { ANSWERED, SILENT, SLOW } from './fake-queue.ts'
import { buildTarget, limitsWith } from './limits-harness.ts'

describe('a webhook', () => {
  test('has four places while nothing is known of it, but no more than wait', () => {
    const { asked: offer, begin: startSends } = limitsWith()
    expect(offer({})).toEqual([4])
    startSends([])
    expect(offer({ waiting: 3 })).toEqual([3])
  })

  test.each([
    ['as many as its host once it answered within a second', { ...ANSWERED, duration_ms: 1000 }, 32],
    ['as many as its host once it refused within a second', { ...ANSWERED, status: 500 }, 32],
    ['two once it took longer', SLOW, 2],
    ['two once it gave no answer', SILENT, 2],
    ['two once it gave none at once', { ...SILENT, duration_ms: 1 }, 2],
  ])('has %s', (_what, outcome, count) => {
    const { asked: offer, known: rememberAs } = limitsWith()
    rememberAs(outcome, {})
    expect(offer({})).toEqual([count])
  })

  test('is known by what it did the last time alone', () => {
    const { asked: offer, begin: startSends, known: rememberAs } = limitsWith()
    rememberAs(SILENT, {})
    rememberAs(ANSWERED, {})
    expect(offer({})).toEqual([32])
    startSends([])
    rememberAs(SLOW, {})
    expect(offer({})).toEqual([2])
  })

  test('has none beside those that are under way, though they became too many', () => {
    const { asked: offer, begin: startSends, begun: claimAll, ended: finishOne } = limitsWith()
    expect(claimAll({})).toEqual([4])
    finishOne({}, SILENT)
    expect(offer({})).toEqual([0])
    startSends([])
    finishOne({}, SILENT)
    finishOne({}, SILENT)
    expect(offer({})).toEqual([1])
  })

  test('is another one in another workspace, and the same one on another host', () => {
    const { asked: offer, known: rememberAs } = limitsWith()
    rememberAs(SLOW, { host: 'a.example' })
    expect(offer({ host: 'b.example' }, { workspace_id: 'v', host: 'a.example' })).toEqual([2, 4])
  })

  test('that hangs gets no more by names that are always new', () => {
    const { begun: claimAll, ended: finishOne } = limitsWith()
    claimAll({})
    for (let nth = 0; nth < 3; nth += 1) finishOne({}, SILENT)
    for (let nth = 0; nth < 100; nth += 1) {
      expect(claimAll({ host: `host-${nth}.example` })).toEqual([1])
      finishOne({ host: `host-${nth}.example` }, SILENT)
    }
  })

  test('is forgotten once five thousand others ended a send since its last, and begins again', () => {
    const { asked: offer, begin: startSends, known: rememberAs } = limitsWith()
    const others = (count: number, from: number) =>
      Array.from({ length: count }, (_, nth) => ({ webhook_id: `other ${from + nth}` }))
    rememberAs(SILENT, { webhook_id: 'other 0' })
    rememberAs(SILENT, {}, ...others(4999, 0))
    expect(offer({})).toEqual([2])
    startSends([])
    rememberAs(SILENT, ...others(1, 5000))
    expect(offer({}, { webhook_id: 'other 0' })).toEqual([4, 2])
  })
})

describe('a host', () => {
  test('is bounded for all webhooks together, of all workspaces', () => {
    const queues = Array.from({ length: 18 }, (_, nth) => ({ workspace_id: `w ${nth}`, host: 'a.example' }))
    const { begun: claimAll, asked: offer } = limitsWith()
    expect(claimAll(...queues)).toEqual([...Array(12).fill(4), ...Array(6).fill(0)])
    expect(offer(...queues, {})).toEqual([...Array(18).fill(0), 4])
  })

  test('is never all of one workspace, however many webhooks it has there', () => {
    const queues = Array.from({ length: 10 }, (_, nth) => ({
      webhook_id: `h ${nth}`,
      host: 'shared.example',
    }))
    const { begun: claimAll, asked: offer } = limitsWith()
    expect(claimAll(...queues)).toEqual([4, 4, 4, 4, 4, 4, 0, 0, 0, 0])
    expect(offer(...queues, { workspace_id: 'other', host: 'shared.example' })).toEqual([
      ...Array(10).fill(0),
      4,
    ])
  })

  test('of which one webhook hangs is open to another: the first has two places of it', () => {
    const [hangs, answers] = [
      { webhook_id: 'hangs', host: 'shared.example' },
      { workspace_id: 'other', webhook_id: 'answers', host: 'shared.example' },
    ]
    const { begun: claimAll, known: rememberAs } = limitsWith()
    rememberAs(SILENT, hangs)
    rememberAs(ANSWERED, answers)
    expect(claimAll(hangs, answers)).toEqual([2, 32])
  })
})

test('a workspace has a part of all places, so that its dead receivers leave the others theirs', () => {
  const dead = Array.from({ length: 50 }, (_, nth) => ({ webhook_id: `dead ${nth}` }))
  const { begun: claimAll, asked: offer, begin: startSends, ended: finishOne } = limitsWith()
  expect(claimAll(...dead)).toEqual([...Array(24).fill(4), ...Array(26).fill(0)])
  expect(offer(...dead, { workspace_id: 'other' })).toEqual([...Array(50).fill(0), 4])
  startSends([])
  expect(finishOne(dead[0], SILENT)).toBe(true)
  expect(offer(...dead)).toEqual([...Array(24).fill(0), 1, ...Array(25).fill(0)])
})

describe('webhooks that were not quick', () => {
  const of = (name: string, count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      workspace_id: `${name} ${nth % 8}`,
      webhook_id: `${name} ${nth}`,
    }))

  test('have half of all places together, and with those nobody knows three quarters', () => {
    const { begun: claimAll, known: rememberAs } = limitsWith()
    const slow = of('slow', 200)
    rememberAs(SILENT, ...slow)
    expect(claimAll(...slow)).toEqual([...Array(128).fill(2), ...Array(72).fill(0)])
    expect(claimAll(...of('new', 40))).toEqual([...Array(32).fill(4), ...Array(8).fill(0)])
  })

  test('leave a quarter to those that were quick, whatever waits for them and since when', () => {
    const { begun: claimAll, known: rememberAs } = limitsWith()
    const quick = { workspace_id: 'quick', webhook_id: 'quick' }
    rememberAs(ANSWERED, quick)
    claimAll(...of('new', 200))
    expect(claimAll(quick)).toEqual([32])
  })

  test('have half of the places of a host, and half of those of one workspace there', () => {
    const slow = ['one', 'two', 'three'].flatMap((workspace_id) =>
      Array.from({ length: 10 }, (_, nth) => ({
        workspace_id,
        webhook_id: `h ${nth}`,
        host: 'shared.example',
      })),
    )
    const quick = { workspace_id: 'quick', host: 'shared.example' }
    const { begun: claimAll, known: rememberAs } = limitsWith()
    rememberAs(SILENT, ...slow)
    rememberAs(ANSWERED, quick)
    const ofOne = [...Array(8).fill(2), 0, 0]
    expect(claimAll(...slow)).toEqual([...ofOne, ...ofOne, ...Array(10).fill(0)])
    expect(claimAll(quick)).toEqual([24])
  })

  test('have half of the places of a workspace, and with those nobody knows three quarters', () => {
    const [slow, unknown] = ['slow', 'new'].map((name) =>
      Array.from({ length: 40 }, (_, nth) => ({ webhook_id: `${name} ${nth}` })),
    )
    const { begun: claimAll, known: rememberAs } = limitsWith()
    rememberAs(SILENT, ...slow!)
    rememberAs(ANSWERED, { webhook_id: 'quick' })
    expect(claimAll(...slow!)).toEqual([...Array(32).fill(2), ...Array(8).fill(0)])
    expect(claimAll(...unknown!)).toEqual([...Array(8).fill(4), ...Array(32).fill(0)])
    expect(claimAll({ webhook_id: 'quick' })).toEqual([32])
  })

  test('leave the places they had, though they answered meanwhile', () => {
    const {
      begun: claimAll,
      known: rememberAs,
      ended: finishOne,
    } = limitsWith({ maxConcurrent: 16, maxPerWorkspace: 8, maxPerHost: 8 })
    const slow = { webhook_id: 'slow' }
    rememberAs(SILENT, slow)
    for (let nth = 0; nth < 20; nth += 1) {
      expect(claimAll(slow)).toEqual([nth === 0 ? 2 : 8])
      for (let sent = 0; sent < (nth === 0 ? 2 : 8); sent += 1) finishOne(slow)
    }
    rememberAs(SILENT, { webhook_id: 'other' })
    expect(claimAll({ webhook_id: 'other' })).toEqual([2])
  })
})

describe('workspaces whose webhooks were quick, and keep silent now', () => {
  const webhooks = (workspace_id: string, host?: string) =>
    Array.from({ length: 4 }, (_, nth) => ({
      workspace_id,
      webhook_id: `h ${nth}`,
      host: host ?? `${workspace_id}-${nth}.example`,
    }))

  test('leave an eighth of all places to those that have few under way', () => {
    const crowd = ['one', 'two', 'three', 'four'].map((name) => webhooks(name))
    const other = webhooks('other')
    const { begun: claimAll, known: rememberAs } = limitsWith()
    rememberAs(ANSWERED, ...crowd.flat(), ...other)
    const ofOne = [32, 32, 32, 32]
    expect(claimAll(...crowd.flat())).toEqual([...ofOne, ...ofOne, ...ofOne, 32, 32, 0, 0])
    expect(claimAll(...other)).toEqual([4, 0, 0, 0])
  })

  test('leave an eighth of the places of a host', () => {
    const [one, two, other] = ['one', 'two', 'other'].map((name) => webhooks(name, 'shared.example'))
    const { begun: claimAll, known: rememberAs } = limitsWith()
    rememberAs(ANSWERED, ...one!, ...two!, ...other!)
    expect(claimAll(...one!, ...two!)).toEqual([32, 0, 0, 0, 24, 0, 0, 0])
    expect(claimAll(...other!)).toEqual([2, 0, 0, 0])
  })
})

describe('all places', () => {
  test('are shared by those that have waited longest, and then there is nothing to ask for', () => {
    const {
      begun: claimAll,
      room: openCapacity,
      ended: finishOne,
      known: rememberAs,
    } = limitsWith({ maxConcurrent: 36 })
    const queues = ['a', 'b', 'c'].map((workspace_id) => ({ workspace_id }))
    rememberAs(ANSWERED, ...queues)
    expect(claimAll(...queues)).toEqual([32, 4, 0])
    expect(openCapacity()).toBeUndefined()
    expect(finishOne(queues[0])).toBe(true)
    expect(claimAll(queues[2]!)).toEqual([1])
  })

  test('may be waited for by what came while they were taken', () => {
    const {
      asked: offer,
      begin: startSends,
      room: openCapacity,
      ended: finishOne,
    } = limitsWith({ maxConcurrent: 2 })
    offer({ waiting: 2 })
    startSends([buildTarget(), buildTarget()])
    expect(openCapacity()).toBeUndefined()
    expect(finishOne()).toBe(true)
  })
})
