import { foldName, foldText } from '../kernel/fold-text.ts'
import { hashText } from '../kernel/hash-text.ts'
import type { Condition } from '../kernel/record-queries.ts'
import type { ExternalId } from './external-ids.ts'
import type { Follower } from './following.ts'

/** Facets start with an underscore, which no word of a text does, so that no search matches them. */
export function tagFacet(id: string): string {
  return `_tag_${stripHyphens(id)}`
}

export function listFacet(id: string): string {
  return `_list_${stripHyphens(id)}`
}

export function optionFacet(fieldId: string, option: string): string {
  return `_option_${stripHyphens(fieldId)}_${option}`
}

export function externalIdFacet({ source, id }: ExternalId): string {
  return valueFacet('external', `${source}:${id}`)
}

/** The same for an address in any case. */
export function emailFacet(email: string): string {
  return valueFacet('email', email.toLowerCase())
}

/** @param digits the number in E.164 without its plus sign, or the digits of one that has no such form */
export function phoneFacet(digits: string): string {
  return valueFacet('phone', digits)
}

export function domainFacet(domain: string): string {
  return valueFacet('domain', domain)
}

/** The same for names that differ in accents, case and punctuation only. */
export function nameFacet(name: string): string {
  return valueFacet('name', foldName(name))
}

/** Of a value that is no option. The same for a text in any case, with or without accents. */
export function customValueFacet(fieldId: string, value: string | number): string {
  return valueFacet(`value_${stripHyphens(fieldId)}`, foldText(String(value)))
}

/** Of a record that another one is linked to beside the main one. */
export function linkFacet(id: string): string {
  return `_link_${stripHyphens(id).toLowerCase()}`
}

/** @param key what `shareKey` returns */
export function shareFacet(key: string): string {
  return valueFacet('share', key.toLowerCase())
}

/** Of a member who follows the record, during one membership. */
export function followerFacet({ member_id, since }: Pick<Follower, 'member_id' | 'since'>): string {
  return valueFacet('follower', `${member_id} ${since}`.toLowerCase())
}

/** Matches records with the facet. */
export function whereFacet<R extends { readonly search_terms: string }>(facet: string): Condition<R> {
  return { field: 'search_terms', hasTerm: facet }
}

/** Longer values are hashed. */
const MAX_VALUE_LENGTH = 64

/** A facet of a value that is compared as a whole. Different values have different ones. */
function valueFacet(name: string, value: string): string {
  // The hex digits after each underscore tell an escape from the double underscore before a hash.
  if (value.length > MAX_VALUE_LENGTH) return `_${name}___${hashText(value)}`
  const escaped = value.replaceAll(
    /[\0-/:-`{-\x7f]/g,
    (character) => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `_${name}_${escaped}`
}

function stripHyphens(id: string): string {
  return id.replaceAll('-', '')
}
