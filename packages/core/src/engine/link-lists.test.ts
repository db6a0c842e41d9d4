import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINK_LISTS } from '../schema/link-lists.ts'
import { type Links, moveMain, removeLink, replaceLinks } from './link-lists.ts'

const { deals, people } = LINK_LISTS
const NOBODY_HIDDEN: ReadonlySet<string> = new Set()
const links: Links = {
  id: 'ana',
  role: 'Buyer',
  others: [
    { id: 'bob', role: 'User' },
    { id: 'cid', role: null },
  ],
}

test('a main one that is linked changes places, another one replaces, null leaves nobody main', () => {
  expect(moveMain(deals, links, 'bob')).toEqual({
    ...{ id: 'bob', role: 'User' },
    others: [
      { id: 'ana', role: 'Buyer' },
      { id: 'cid', role: null },
    ],
  })
  expect(moveMain(deals, links, 'dan')).toEqual({ ...links, id: 'dan', role: null })
  expect(moveMain(people, links, 'dan')).toEqual({ ...links, id: 'dan', role: 'Buyer' })
  expect(moveMain(deals, links, null)).toEqual({ ...links, id: null, role: null })
  const nobody = { ...links, id: null, role: null }
  expect(moveMain(deals, nobody, 'cid')).toEqual({ id: 'cid', role: null, others: [links.others[0]] })
})

test('a list names the main one, or keeps it, or begins with it', () => {
  const replace = (entries: Parameters<typeof replaceLinks>[2], hidden = NOBODY_HIDDEN) =>
    replaceLinks(deals, links, entries, hidden)
  expect(replace([{ id: 'dan', role: 'Payer' }, { id: 'bob', main: true }, { id: 'ana' }])).toEqual({
    ...{ id: 'bob', role: 'User' },
    others: [
      { id: 'dan', role: 'Payer' },
      { id: 'ana', role: 'Buyer' },
    ],
  })
  expect(replace([{ id: 'bob' }, { id: 'ana', role: null }])).toEqual({
    ...{ id: 'ana', role: null },
    others: [{ id: 'bob', role: 'User' }],
  })
  expect(replace([{ id: 'cid' }])).toEqual({ id: 'cid', role: null, others: [] })
  expect(replace([])).toEqual({ id: null, role: null, others: [] })
  expect(replace([], new Set(['bob']))).toEqual({ id: null, role: null, others: [links.others[0]] })
  expect(replace([{ id: 'cid' }], new Set(['ana']))).toEqual({ ...links, others: [links.others[1]] })
})

test('the position of a person stays with a new company that names none', () => {
  const own = { id: null, role: 'Buyer', others: [] }
  expect(replaceLinks(people, own, [{ id: 'acme' }], NOBODY_HIDDEN)).toEqual({ ...own, id: 'acme' })
  expect(replaceLinks(people, own, [{ id: 'acme', role: null }], NOBODY_HIDDEN).role).toBe(null)
  const employed = { id: 'acme', role: 'Buyer', others: [] }
  expect(
    replaceLinks(people, employed, [{ id: 'acme' }, { id: 'other', main: true }], NOBODY_HIDDEN),
  ).toEqual({
    ...{ id: 'other', role: null },
    others: [{ id: 'acme', role: 'Buyer' }],
  })
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const arbitraryLinks = fc.uniqueArray(id).chain((ids) =>
  fc.boolean().map(
    (hasMain): Links => ({
      ...{ id: hasMain ? (ids[0] ?? null) : null, role: hasMain && ids.length > 0 ? 'r' : null },
      others: ids.slice(hasMain ? 1 : 0).map((each) => ({ id: each, role: each })),
    }),
  ),
)
const idsOf = ({ id, others }: Links) => [...(id === null ? [] : [id]), ...others.map((other) => other.id)]

test('no change links a record twice, and each links exactly whom it names', () => {
  fc.assert(
    fc.property(arbitraryLinks, id, fc.uniqueArray(id), (before, target, listed) => {
      const moved = idsOf(moveMain(deals, before, target))
      expect(moved[0]).toBe(target)
      expect(new Set(moved).size).toBe(moved.length)
      expect(idsOf(removeLink(deals, before, target))).toEqual(
        idsOf(before).filter((each) => each !== target),
      )
      const entries = listed.map((each) => ({ id: each }))
      const replaced = idsOf(replaceLinks(deals, before, entries, NOBODY_HIDDEN))
      expect(replaced.toSorted()).toEqual(listed.toSorted())
      const hidden = new Set([target])
      const kept = idsOf(
        replaceLinks(
          deals,
          before,
          entries.filter((each) => each.id !== target),
          hidden,
        ),
      )
      expect(kept.includes(target)).toBe(idsOf(before).includes(target))
    }),
  )
})
