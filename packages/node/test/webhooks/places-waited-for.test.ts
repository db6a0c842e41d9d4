import { describe, expect, test } from 'vitest'
import { ofBounds, place } from './bounded-places.ts'
import { ANSWERED, SILENT } from './queue.ts'

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

  test('is waited for where a workspace has a few places though the others have crowded all there are', () => {
    const crowd = Array.from({ length: 6 }, (_, nth) => ({ workspace_id: `crowd ${nth}`, host: `${nth}.example` }))
    const late = { workspace_id: 'late' }
    const { known, begun, ended, asked, begin } = ofBounds({ most: 64, mostPerWorkspace: 16, mostPerHost: 16 })
    known(ANSWERED, ...crowd, late)
    expect(begun(...crowd, late)).toEqual([16, 16, 16, 8, 4, 4, 0])
    expect(ended(crowd[5])).toBe(true)
    expect(asked(...crowd, late)).toEqual([0, 0, 0, 0, 0, 1, 0])
    begin([])
    expect(begun(late)).toEqual([1])
    // It is one of many again: only what is beyond the crowd's part is room for it.
    expect(ended(crowd[0])).toBe(true)
    expect(asked(crowd[0]!, late)).toEqual([0, 1])
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
    const { asked, begin } = ofBounds({ mostPerHost: 5 })
    expect(asked(first, second)).toEqual([4, 0])
    expect(begin([place(first)])).toBe(true)
    expect(asked(first, second)).toEqual([3, 0])
    expect(begin(Array.from({ length: 3 }, () => place(first)))).toBe(false)
  })

  test('and of which it took nothing are free, and nothing is asked again for them', () => {
    const { asked, begin } = ofBounds({ mostPerHost: 5 })
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
    const { asked, begin } = ofBounds({ mostPerHost: 5 })
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
