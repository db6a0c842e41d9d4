import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'

/** As `foldText` of the core, which lists the letters that Unicode does not decompose. */
const [LETTERS, FOLDED] = ['øđðłħŧς', 'oddlhtσ']
const LIGATURES = [
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
] as const

/** Code points. */
const [FIRST_MARK, LAST_MARK] = [0x300, 0xe_01_ef]

/** Creates the function by which texts are compared without case and accents. */
export async function createFoldText(db: Kysely<Tables>): Promise<void> {
  const marks = sql.lit(`[${listMarks()}]`)
  const withoutMarks = (text: ReturnType<typeof sql>) => sql`regexp_replace(${text}, ${marks}, '', 'g')`
  const cased = (text: ReturnType<typeof sql>) =>
    sql`lower(upper(lower(${text} collate "und-x-icu") collate "und-x-icu") collate "und-x-icu")`
  const plain = withoutMarks(sql`normalize(${cased(withoutMarks(sql`normalize(text, NFKD)`))}, NFKD)`)
  const folded = LIGATURES.reduce(
    (expression, [letter, letters]) => sql`replace(${expression}, ${sql.lit(letter)}, ${sql.lit(letters)})`,
    sql`translate(${plain}, ${sql.lit(LETTERS)}, ${sql.lit(FOLDED)})`,
  )
  await sql`create function fold_text(text text) returns text language sql immutable strict parallel safe
    return case when text ~ '^[\u0001-\u007f]*$' then lower(text collate "C") else ${folded} collate "C" end`.execute(
    db,
  )
}

/** The combining marks of Unicode, as the ranges of a regular expression. */
function listMarks(): string {
  const ranges: [first: number, last: number][] = []
  for (let point = FIRST_MARK; point <= LAST_MARK; point += 1) {
    if (!/\p{M}/u.test(String.fromCodePoint(point))) continue
    const last = ranges.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  return ranges.map((range) => range.map((point) => String.fromCodePoint(point)).join('-')).join('')
}
