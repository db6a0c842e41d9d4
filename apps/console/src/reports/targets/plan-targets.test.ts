import { expect, test } from 'vitest'
import { planTargets } from './plan-targets.ts'

const ownerOf = (id: string) => ({ id, name: id, email: `${id}@x.example` })
const SAVED = [
  { id: 't1', owner: ownerOf('ann'), amount: 100 },
  { id: 't2', owner: ownerOf('ben'), amount: 200 },
  { id: 't3', owner: ownerOf('cid'), amount: 300 },
  { id: 't4', owner: null, amount: 400 },
]
const readAmount = (text: string) => (/^\d*$/.test(text) ? Number(text) : undefined)

test('only what differs is sent, and what is empty is deleted', () => {
  const typed = { ann: '100', ben: '', cid: '350', dan: '50', eve: '', fay: 'much' }
  expect(planTargets(typed, SAVED, readAmount)).toEqual({
    changes: [{ id: 't2' }, { id: 't3', amount: 350 }, { ownerId: 'dan', amount: 50 }],
    wrong: ['fay'],
  })
})
