import { describe, expect, test } from 'vitest'
import { ANSWERED, SILENT } from './fake-queue.ts'
import { buildTarget, limitsWith } from './limits-harness.ts'

describe('the end of a send', () => {
  test('is waited for where a lane got less than it has, and nowhere else', () => {
    const [full, small] = [{ webhook_id: 'full' }, { webhook_id: 'small', waiting: 3 }]
    const { asked: offer, begin: startSends, ended: finishOne } = limitsWith()
    expect(offer(full, small)).toEqual([4, 3])
    startSends([...Array(4).fill(buildTarget(full)), ...Array(3).fill(buildTarget(small))])
    expect(finishOne(small)).toBe(false)
    expect(finishOne(full)).toBe(true)
  })

  test('is waited for where a quick one had all its host has, of which no more is counted', () => {
    const {
      known: rememberAs,
      asked: offer,
      begin: startSends,
      ended: finishOne,
    } = limitsWith({ maxPerHost: 8 })
    rememberAs(ANSWERED, {})
    expect(offer({ waiting: 9 })).toEqual([8])
    startSends(Array.from({ length: 8 }, () => buildTarget()))
    expect(finishOne()).toBe(true)
    expect(offer({ waiting: 1 })).toEqual([1])
    startSends([buildTarget()])
    expect(finishOne()).toBe(false)
  })

  test('is not waited for while a webhook that gave no answer has two or more', () => {
    const { begun: claimAll, ended: finishOne } = limitsWith()
    claimAll({})
    expect([finishOne({}, SILENT), finishOne({}, SILENT), finishOne({}, SILENT)]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('is waited for where it came after a lane was asked about, while it was claimed', () => {
    const { asked: offer, begin: startSends, begun: claimAll, ended: finishOne } = limitsWith()
    claimAll({})
    expect(offer({})).toEqual([0])
    expect(finishOne()).toBe(true)
    expect(startSends([])).toBe(false)
    expect(offer({})).toEqual([29])
  })

  test('is waited for where a workspace has a few places though the others have crowded all there are', () => {
    const crowd = Array.from({ length: 6 }, (_, nth) => ({
      workspace_id: `crowd ${nth}`,
      host: `${nth}.example`,
    }))
    const late = { workspace_id: 'late' }
    const {
      known: rememberAs,
      begun: claimAll,
      ended: finishOne,
      asked: offer,
      begin: startSends,
    } = limitsWith({ maxConcurrent: 64, maxPerWorkspace: 16, maxPerHost: 16 })
    rememberAs(ANSWERED, ...crowd, late)
    expect(claimAll(...crowd, late)).toEqual([16, 16, 16, 8, 4, 4, 0])
    expect(finishOne(crowd[5])).toBe(true)
    expect(offer(...crowd, late)).toEqual([0, 0, 0, 0, 0, 1, 0])
    startSends([])
    expect(claimAll(late)).toEqual([1])
    // It is one of many again: only what is beyond the crowd's part is room for it.
    expect(finishOne(crowd[0])).toBe(true)
    expect(offer(crowd[0]!, late)).toEqual([0, 1])
  })

  test('is not waited for any more once a claim found nothing left', () => {
    const { asked: offer, begin: startSends, begun: claimAll, ended: finishOne } = limitsWith()
    claimAll({})
    offer()
    startSends([])
    expect(finishOne()).toBe(false)
  })
})

describe('places that a claim was promised', () => {
  const [first, second] = [
    { webhook_id: 'first', host: 'a.example' },
    { webhook_id: 'second', host: 'a.example' },
  ]

  test('and did not take are free, and others may go on', () => {
    const { asked: offer, begin: startSends } = limitsWith({ maxPerHost: 5 })
    expect(offer(first, second)).toEqual([4, 0])
    expect(startSends([buildTarget(first)])).toBe(true)
    expect(offer(first, second)).toEqual([3, 0])
    expect(startSends(Array.from({ length: 3 }, () => buildTarget(first)))).toBe(false)
  })

  test('and of which it took nothing are free, and nothing is asked again for them', () => {
    const { asked: offer, begin: startSends } = limitsWith({ maxPerHost: 5 })
    expect(offer(first, second)).toEqual([4, 0])
    expect(startSends([])).toBe(false)
    expect(offer(second, first)).toEqual([4, 0])
  })

  test('are promised once to a transaction that is done again', () => {
    const { room: openCapacity, begin: startSends, begun: claimAll } = limitsWith({ maxConcurrent: 8 })
    const { quota: share } = openCapacity()!
    const queue = { ...buildTarget(), dueCount: 4 }
    const other = { ...buildTarget({ webhook_id: 'other' }), dueCount: 4 }
    expect([share(queue), share(other)]).toEqual([4, 2])
    expect([share(queue), share({ ...other, dueCount: 1 }), share(queue)]).toEqual([4, 1, 4])
    expect([share({ ...queue, dueCount: 0 }), share({ ...other, dueCount: 4 }), share(queue)]).toEqual([
      0, 4, 2,
    ])
    startSends([])
    expect(claimAll({ webhook_id: 'a' }, { webhook_id: 'b' })).toEqual([4, 2])
  })

  test('are counted where they are sent: the receiver may have moved since', () => {
    const { asked: offer, begin: startSends } = limitsWith({ maxPerHost: 5 })
    offer(first)
    startSends(Array.from({ length: 4 }, () => buildTarget({ ...first, host: 'b.example' })))
    expect(offer(second, { webhook_id: 'third', host: 'b.example' })).toEqual([4, 0])
  })
})

test('a place is free again once its send has ended, however many names there were', () => {
  const {
    begun: claimAll,
    ended: finishOne,
    asked: offer,
  } = limitsWith({ maxConcurrent: 4, maxPerWorkspace: 2, maxPerHost: 1 })
  for (let nth = 0; nth < 1000; nth += 1) {
    const to = { workspace_id: `w ${nth}`, webhook_id: `h ${nth}` }
    expect(claimAll(to)).toEqual([1])
    finishOne(to, SILENT)
  }
  expect(offer({ workspace_id: 'w 0', webhook_id: 'x' }, { workspace_id: 'w 0', webhook_id: 'y' })).toEqual([
    1, 1,
  ])
})
