import { describe, expect, test } from 'vitest'
import { ANSWERED, SILENT, SLOW } from './controlled-sender.ts'
import { buildTarget, limitsWith } from './limits-harness.ts'

describe('a webhook', () => {
  test('has four slots while it is unknown, but no more than are waiting', () => {
    const { readQuotas, startSends } = limitsWith()
    expect(readQuotas({})).toEqual([4])
    startSends([])
    expect(readQuotas({ waiting: 3 })).toEqual([3])
  })

  test.each([
    ['all slots of its host after a response within a second', { ...ANSWERED, duration_ms: 1000 }, 32],
    ['all slots of its host after an error status within a second', { ...ANSWERED, status: 500 }, 32],
    ['two slots after a slower response', SLOW, 2],
    ['two slots after a timeout', SILENT, 2],
    ['two slots after a failure within a second', { ...SILENT, duration_ms: 1 }, 2],
  ])('has %s', (_description, result, count) => {
    const { readQuotas, rememberResult } = limitsWith()
    rememberResult(result, {})
    expect(readQuotas({})).toEqual([count])
  })

  test('is judged by its last result only', () => {
    const { readQuotas, startSends, rememberResult } = limitsWith()
    rememberResult(SILENT, {})
    rememberResult(ANSWERED, {})
    expect(readQuotas({})).toEqual([32])
    startSends([])
    rememberResult(SLOW, {})
    expect(readQuotas({})).toEqual([2])
  })

  test('gets no slot while it has more sends in flight than its limit', () => {
    const { readQuotas, startSends, claimAll, finishSend } = limitsWith()
    expect(claimAll({})).toEqual([4])
    finishSend({}, SILENT)
    expect(readQuotas({})).toEqual([0])
    startSends([])
    finishSend({}, SILENT)
    finishSend({}, SILENT)
    expect(readQuotas({})).toEqual([1])
  })

  test('is distinct in each workspace and the same on every host', () => {
    const { readQuotas, rememberResult } = limitsWith()
    rememberResult(SLOW, { host: 'a.example' })
    expect(readQuotas({ host: 'b.example' }, { workspace_id: 'v', host: 'a.example' })).toEqual([2, 4])
  })

  test('that hangs gets no additional slots by changing its host', () => {
    const { claimAll, finishSend } = limitsWith()
    claimAll({})
    for (let index = 0; index < 3; index += 1) finishSend({}, SILENT)
    for (let index = 0; index < 100; index += 1) {
      expect(claimAll({ host: `host-${index}.example` })).toEqual([1])
      finishSend({ host: `host-${index}.example` }, SILENT)
    }
  })

  test('is unknown again after sends of five thousand other webhooks', () => {
    const { readQuotas, startSends, rememberResult } = limitsWith()
    const others = (count: number, start: number) =>
      Array.from({ length: count }, (_, index) => ({ webhook_id: `other ${start + index}` }))
    rememberResult(SILENT, { webhook_id: 'other 0' })
    rememberResult(SILENT, {}, ...others(4999, 0))
    expect(readQuotas({})).toEqual([2])
    startSends([])
    rememberResult(SILENT, ...others(1, 5000))
    expect(readQuotas({}, { webhook_id: 'other 0' })).toEqual([4, 2])
  })
})

describe('a host', () => {
  test('has a limit for the webhooks of all workspaces together', () => {
    const queues = Array.from({ length: 18 }, (_, index) => ({
      workspace_id: `w ${index}`,
      host: 'a.example',
    }))
    const { claimAll, readQuotas } = limitsWith()
    expect(claimAll(...queues)).toEqual([...Array(12).fill(4), ...Array(6).fill(0)])
    expect(readQuotas(...queues, {})).toEqual([...Array(18).fill(0), 4])
  })

  test('is never used up by the webhooks of one workspace', () => {
    const queues = Array.from({ length: 10 }, (_, index) => ({
      webhook_id: `h ${index}`,
      host: 'shared.example',
    }))
    const { claimAll, readQuotas } = limitsWith()
    expect(claimAll(...queues)).toEqual([4, 4, 4, 4, 4, 4, 0, 0, 0, 0])
    expect(readQuotas(...queues, { workspace_id: 'other', host: 'shared.example' })).toEqual([
      ...Array(10).fill(0),
      4,
    ])
  })

  test('stays available when one of its webhooks hangs, which has two slots', () => {
    const [hanging, responsive] = [
      { webhook_id: 'hanging', host: 'shared.example' },
      { workspace_id: 'other', webhook_id: 'responsive', host: 'shared.example' },
    ]
    const { claimAll, rememberResult } = limitsWith()
    rememberResult(SILENT, hanging)
    rememberResult(ANSWERED, responsive)
    expect(claimAll(hanging, responsive)).toEqual([2, 32])
  })
})

test('a workspace has a share of all slots, so that its dead receivers do not block other workspaces', () => {
  const dead = Array.from({ length: 50 }, (_, index) => ({ webhook_id: `dead ${index}` }))
  const { claimAll, readQuotas, startSends, finishSend } = limitsWith()
  expect(claimAll(...dead)).toEqual([...Array(24).fill(4), ...Array(26).fill(0)])
  expect(readQuotas(...dead, { workspace_id: 'other' })).toEqual([...Array(50).fill(0), 4])
  startSends([])
  expect(finishSend(dead[0], SILENT)).toBe(true)
  expect(readQuotas(...dead)).toEqual([...Array(24).fill(0), 1, ...Array(25).fill(0)])
})

describe('slow webhooks', () => {
  const buildQueues = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      workspace_id: `${name} ${index % 8}`,
      webhook_id: `${name} ${index}`,
    }))

  test('have half of all slots together, and three quarters with unknown webhooks', () => {
    const { claimAll, rememberResult } = limitsWith()
    const slow = buildQueues('slow', 200)
    rememberResult(SILENT, ...slow)
    expect(claimAll(...slow)).toEqual([...Array(128).fill(2), ...Array(72).fill(0)])
    expect(claimAll(...buildQueues('new', 40))).toEqual([...Array(32).fill(4), ...Array(8).fill(0)])
  })

  test('and unknown webhooks leave a quarter of the slots to fast webhooks', () => {
    const { claimAll, rememberResult } = limitsWith()
    const fast = { workspace_id: 'fast', webhook_id: 'fast' }
    rememberResult(ANSWERED, fast)
    claimAll(...buildQueues('new', 200))
    expect(claimAll(fast)).toEqual([32])
  })

  test('have half of the slots of a host, and half of those of one workspace there', () => {
    const slow = ['one', 'two', 'three'].flatMap((workspace_id) =>
      Array.from({ length: 10 }, (_, index) => ({
        workspace_id,
        webhook_id: `h ${index}`,
        host: 'shared.example',
      })),
    )
    const fast = { workspace_id: 'fast', host: 'shared.example' }
    const { claimAll, rememberResult } = limitsWith()
    rememberResult(SILENT, ...slow)
    rememberResult(ANSWERED, fast)
    const perWorkspace = [...Array(8).fill(2), 0, 0]
    expect(claimAll(...slow)).toEqual([...perWorkspace, ...perWorkspace, ...Array(10).fill(0)])
    expect(claimAll(fast)).toEqual([24])
  })

  test('have half of the slots of a workspace, and three quarters with unknown webhooks', () => {
    const [slow, unknown] = ['slow', 'new'].map((name) =>
      Array.from({ length: 40 }, (_, index) => ({ webhook_id: `${name} ${index}` })),
    )
    const { claimAll, rememberResult } = limitsWith()
    rememberResult(SILENT, ...slow!)
    rememberResult(ANSWERED, { webhook_id: 'fast' })
    expect(claimAll(...slow!)).toEqual([...Array(32).fill(2), ...Array(8).fill(0)])
    expect(claimAll(...unknown!)).toEqual([...Array(8).fill(4), ...Array(32).fill(0)])
    expect(claimAll({ webhook_id: 'fast' })).toEqual([32])
  })

  test('release the slots they acquired when they become fast meanwhile', () => {
    const { claimAll, rememberResult, finishSend } = limitsWith({
      maxConcurrent: 16,
      maxPerWorkspace: 8,
      maxPerHost: 8,
    })
    const slow = { webhook_id: 'slow' }
    rememberResult(SILENT, slow)
    for (let index = 0; index < 20; index += 1) {
      expect(claimAll(slow)).toEqual([index === 0 ? 2 : 8])
      for (let count = index === 0 ? 2 : 8; count > 0; count -= 1) finishSend(slow)
    }
    rememberResult(SILENT, { webhook_id: 'other' })
    expect(claimAll({ webhook_id: 'other' })).toEqual([2])
  })
})

describe('workspaces with fast webhooks that stop responding', () => {
  const buildQueues = (workspace_id: string, host?: string) =>
    Array.from({ length: 4 }, (_, index) => ({
      workspace_id,
      webhook_id: `h ${index}`,
      host: host ?? `${workspace_id}-${index}.example`,
    }))

  test('leave an eighth of all slots to workspaces with few sends in flight', () => {
    const others = ['one', 'two', 'three', 'four'].map((name) => buildQueues(name))
    const other = buildQueues('other')
    const { claimAll, rememberResult } = limitsWith()
    rememberResult(ANSWERED, ...others.flat(), ...other)
    const perWorkspace = [32, 32, 32, 32]
    expect(claimAll(...others.flat())).toEqual([
      ...perWorkspace,
      ...perWorkspace,
      ...perWorkspace,
      32,
      32,
      0,
      0,
    ])
    expect(claimAll(...other)).toEqual([4, 0, 0, 0])
  })

  test('leave an eighth of the slots of a host', () => {
    const [one, two, other] = ['one', 'two', 'other'].map((name) => buildQueues(name, 'shared.example'))
    const { claimAll, rememberResult } = limitsWith()
    rememberResult(ANSWERED, ...one!, ...two!, ...other!)
    expect(claimAll(...one!, ...two!)).toEqual([32, 0, 0, 0, 24, 0, 0, 0])
    expect(claimAll(...other!)).toEqual([2, 0, 0, 0])
  })
})

describe('the global limit', () => {
  test('is shared in queue order, and leaves no capacity once it is reached', () => {
    const { claimAll, openCapacity, finishSend, rememberResult } = limitsWith({ maxConcurrent: 36 })
    const queues = ['a', 'b', 'c'].map((workspace_id) => ({ workspace_id }))
    rememberResult(ANSWERED, ...queues)
    expect(claimAll(...queues)).toEqual([32, 4, 0])
    expect(openCapacity()).toBeUndefined()
    expect(finishSend(queues[0])).toBe(true)
    expect(claimAll(queues[2]!)).toEqual([1])
  })

  test('reports that more may be waiting after a claim without capacity', () => {
    const { readQuotas, startSends, openCapacity, finishSend } = limitsWith({ maxConcurrent: 2 })
    readQuotas({ waiting: 2 })
    startSends([buildTarget(), buildTarget()])
    expect(openCapacity()).toBeUndefined()
    expect(finishSend()).toBe(true)
  })
})

describe('the end of a send', () => {
  test('requests a claim if the last claim left deliveries of any queue', () => {
    const [full, small] = [{ webhook_id: 'full' }, { webhook_id: 'small', waiting: 3 }]
    const { readQuotas, startSends, finishSend } = limitsWith()
    expect(readQuotas(small)).toEqual([3])
    startSends([buildTarget(small), buildTarget(small), buildTarget(small)])
    expect(finishSend(small)).toBe(false)
    expect(readQuotas(full)).toEqual([4])
    startSends([buildTarget(full)])
    expect(finishSend(small)).toBe(true)
  })

  test('requests a claim when a fast webhook used all slots of its host', () => {
    const { rememberResult, readQuotas, startSends, finishSend } = limitsWith({ maxPerHost: 8 })
    rememberResult(ANSWERED, {})
    expect(readQuotas({ waiting: 9 })).toEqual([8])
    startSends(Array.from({ length: 8 }, () => buildTarget()))
    expect(finishSend()).toBe(true)
    expect(readQuotas({ waiting: 1 })).toEqual([1])
    startSends([buildTarget()])
    expect(finishSend()).toBe(false)
  })

  test('requests a claim when it happens during a claim', () => {
    const { readQuotas, startSends, claimAll, finishSend } = limitsWith()
    claimAll({})
    expect(readQuotas({})).toEqual([0])
    expect(finishSend()).toBe(true)
    expect(startSends([])).toBe(false)
    expect(readQuotas({})).toEqual([29])
  })

  test('requests a claim for the reserved slots of a workspace when others use all open slots', () => {
    const others = Array.from({ length: 6 }, (_, index) => ({
      workspace_id: `crowd ${index}`,
      host: `${index}.example`,
    }))
    const late = { workspace_id: 'late' }
    const { rememberResult, claimAll, finishSend, readQuotas, startSends } = limitsWith({
      maxConcurrent: 64,
      maxPerWorkspace: 16,
      maxPerHost: 16,
    })
    rememberResult(ANSWERED, ...others, late)
    expect(claimAll(...others, late)).toEqual([16, 16, 16, 8, 4, 4, 0])
    expect(finishSend(others[5])).toBe(true)
    expect(readQuotas(...others, late)).toEqual([0, 0, 0, 0, 0, 1, 0])
    startSends([])
    expect(claimAll(late)).toEqual([1])
    // The freed slot lies beyond the unreserved share: only a workspace below its reserved slots gets it.
    expect(finishSend(others[0])).toBe(true)
    expect(readQuotas(others[0]!, late)).toEqual([0, 1])
  })

  test('requests no claim after a claim that found nothing waiting', () => {
    const { readQuotas, startSends, claimAll, finishSend } = limitsWith()
    claimAll({})
    readQuotas()
    startSends([])
    expect(finishSend()).toBe(false)
  })
})

describe('the reserved slots of a claim', () => {
  const [first, second] = [
    { webhook_id: 'first', host: 'a.example' },
    { webhook_id: 'second', host: 'a.example' },
  ]

  test('are released when it does not use them, and another claim is requested', () => {
    const { readQuotas, startSends } = limitsWith({ maxPerHost: 5 })
    expect(readQuotas(first, second)).toEqual([4, 0])
    expect(startSends([buildTarget(first)])).toBe(true)
    expect(readQuotas(first, second)).toEqual([3, 0])
    expect(startSends(Array.from({ length: 3 }, () => buildTarget(first)))).toBe(false)
  })

  test('are released without requesting another claim when no delivery waits', () => {
    const { readQuotas, startSends } = limitsWith()
    expect(readQuotas({ waiting: 3 })).toEqual([3])
    expect(startSends([buildTarget()])).toBe(false)
  })

  test('are released by an empty claim, without requesting another claim', () => {
    const { readQuotas, startSends } = limitsWith({ maxPerHost: 5 })
    expect(readQuotas(first, second)).toEqual([4, 0])
    expect(startSends([])).toBe(false)
    expect(readQuotas(second, first)).toEqual([4, 0])
  })

  test('are reserved once for a retried transaction', () => {
    const { openCapacity, startSends, claimAll } = limitsWith({ maxConcurrent: 8 })
    const { quota } = openCapacity()!
    const queue = { ...buildTarget(), dueCount: 4 }
    const other = { ...buildTarget({ webhook_id: 'other' }), dueCount: 4 }
    expect([quota(queue), quota(other)]).toEqual([4, 2])
    expect([quota(queue), quota({ ...other, dueCount: 1 }), quota(queue)]).toEqual([4, 1, 4])
    expect([quota({ ...queue, dueCount: 0 }), quota({ ...other, dueCount: 4 }), quota(queue)]).toEqual([
      0, 4, 2,
    ])
    startSends([])
    expect(claimAll({ webhook_id: 'a' }, { webhook_id: 'b' })).toEqual([4, 2])
  })

  test('count for the host of the request, which may have changed since', () => {
    const { readQuotas, startSends } = limitsWith({ maxPerHost: 5 })
    readQuotas(first)
    startSends(Array.from({ length: 4 }, () => buildTarget({ ...first, host: 'b.example' })))
    expect(readQuotas(second, { webhook_id: 'third', host: 'b.example' })).toEqual([4, 0])
  })
})

test('a slot is released after its send for any number of webhooks', () => {
  const { claimAll, finishSend, readQuotas } = limitsWith({
    maxConcurrent: 4,
    maxPerWorkspace: 2,
    maxPerHost: 1,
  })
  for (let index = 0; index < 1000; index += 1) {
    const target = { workspace_id: `w ${index}`, webhook_id: `h ${index}` }
    expect(claimAll(target)).toEqual([1])
    finishSend(target, SILENT)
  }
  expect(
    readQuotas({ workspace_id: 'w 0', webhook_id: 'x' }, { workspace_id: 'w 0', webhook_id: 'y' }),
  ).toEqual([1, 1])
})
