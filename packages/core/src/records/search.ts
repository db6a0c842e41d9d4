import * as v from 'valibot'
import { tagIdNamed } from '../tags/tag.ts'
import { line, uuid } from './fields.ts'
import { holding, listMark, tagMark } from './found-by.ts'
import type { Filter } from './query.ts'
import { wordsIn } from './words.ts'

interface Findable {
  readonly found_by: string
}

const MOST_WORDS = 40

const searched = v.pipe(
  line(1, 200),
  v.transform((text) => telling(wordsIn(text))),
  v.check((words) => words.length > 0, 'Must hold a letter or a digit.'),
  v.check((words) => words.length <= MOST_WORDS, `Must have at most ${MOST_WORDS} words.`),
)

/** Without the words that others begin with, which find nothing less. */
function telling(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word, _, all) => !all.some((other) => other !== word && other.startsWith(word)))
}

/** Records of which, for every word, some word begins with it. Case and accents do not matter. */
export function bySearch<R extends Findable>(): Filter<R, typeof searched> {
  return { schema: searched, conditions: async (words) => words.map((begins) => ({ field: 'found_by', begins })) }
}

const tagName = line(1, 60)

/** By the id or the key of a tag. */
function byTag<R extends Findable>(): Filter<R, typeof tagName> {
  return {
    schema: tagName,
    async conditions(name, unit) {
      const id = await tagIdNamed(name, unit)
      return id === undefined ? undefined : [holding(tagMark(id))]
    },
  }
}

function byList<R extends Findable>(): Filter<R, typeof uuid> {
  return {
    schema: uuid,
    async conditions(id, { stores }) {
      const list = await stores.lists.get(id)
      return list && [holding(listMark(list.id))]
    },
  }
}

/** The filters of whatever has words, tags and lists. */
export function foundFilters<R extends Findable>() {
  return { search: bySearch<R>(), tag: byTag<R>(), list_id: byList<R>() }
}
