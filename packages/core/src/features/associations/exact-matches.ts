import * as v from 'valibot'
import { CODE_CHARACTERS } from '../../engine/entity-code.ts'
import { phoneDigits } from '../../engine/phone-digits.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { NamedCondition } from '../../ports/index.ts'
import { phoneNumber } from '../../schema/contact.ts'
import { phoneFacet, whereFacet } from '../../schema/facets.ts'
import { KINDS } from '../../schema/index.ts'
import { type Search, type SearchedKind, whereWords } from './search-text.ts'

type Row = RecordBase & Readonly<Record<string, unknown>>

/**
 * Returns the condition of a public code, or of a whole phone number, that a record has, and undefined for another search:
 * also words may look like a code or a number, such as the name of a deal.
 */
export async function findExactMatch(
  kind: SearchedKind,
  { text }: Search,
  transaction: ViewTransaction,
): Promise<NamedCondition | undefined> {
  const store = transaction.stores[kind] as unknown as RecordStore<Row>
  const code = readCode(kind, text)
  const conditions: readonly NamedCondition[] =
    code === undefined
      ? await listPhoneConditions(kind, text, transaction)
      : [{ field: 'entity_id', is: code }]
  for (const condition of conditions) if (await store.has([condition])) return condition
  return undefined
}

const CODE = new RegExp(`^([a-z])-[${CODE_CHARACTERS}]{7}$`, 'i')

function readCode(kind: SearchedKind, text: string): string | undefined {
  const code = text.toUpperCase()
  const { codePrefix }: { readonly codePrefix?: string } = KINDS[kind]
  return CODE.exec(code)?.[1] === codePrefix && codePrefix !== undefined ? code : undefined
}

/** A shorter text is a part of a number, or an extension. */
const MIN_DIGITS = 8
const EXTENSION = /\s*(?:ramal|ext\.?|x)\s*\d+$/i

/** The number in E.164, in any form and of the country of the workspace; then its digits, without what separates them. */
async function listPhoneConditions(
  kind: SearchedKind,
  text: string,
  { shared, workspaceId, parsePhone }: ViewTransaction,
): Promise<readonly NamedCondition[]> {
  if (!('phones' in KINDS[kind].fields)) return []
  const { success, output } = v.safeParse(phoneNumber, text.replace(EXTENSION, ''))
  const digits = success ? output.replaceAll(/\D/g, '') : ''
  if (digits.length < MIN_DIGITS) return []
  const workspace = await shared.workspaces.get(workspaceId)
  const facet = phoneFacet(phoneDigits(parsePhone, workspace?.country ?? null)(output as string))
  return [whereFacet(facet), ...whereWords([digits])]
}
