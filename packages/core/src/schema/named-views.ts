import type * as v from 'valibot'
import { describeView, exampleOf, type FieldTexts, nameOfKind } from './descriptions.ts'
import { LEVELS, type Level } from './fields.ts'
import { KINDS, type KindName } from './index.ts'
import { fieldsOf, lowestEqualLevel, responseOf } from './responses.ts'

/** The names of views in the OpenAPI document that do not follow from their kind and level. */
const VIEW_NAMES: Readonly<Record<string, string>> = {
  'deal_items item': 'LineItem',
  'deal_offers item': 'OfferListItem',
  'deal_offers detail': 'Offer',
  'notifications item': 'Notification',
  'pipelines reference': 'NamedReference',
  'tasks summary': 'NextTask',
  'members reference': 'Owner',
  'members item': 'MemberListItem',
}
const LEVEL_SUFFIXES: Readonly<Record<Level, string>> = {
  reference: 'Reference',
  summary: 'Summary',
  item: 'ListItem',
  detail: '',
}

/** A view as the OpenAPI document describes it. */
export interface NamedView {
  readonly name: string
  readonly schema: v.GenericSchema
  readonly texts: FieldTexts
  readonly example: object
}

/** All views that responses have, by kind. The one with most fields has the name of its kind. */
export function listNamedViews(): readonly NamedView[] {
  const kinds = Object.keys(KINDS) as KindName[]
  const shown = kinds.flatMap((kind) =>
    fieldsOf(kind).flatMap(([, field]) =>
      'shows' in field ? [`${field.kind} ${lowestEqualLevel(field.kind as KindName, field.shows)}`] : [],
    ),
  )
  return kinds.flatMap((kind) => {
    const alone: readonly Level[] = 'scopes' in KINDS[kind] ? ['item', 'detail'] : []
    const levels = LEVELS.filter(
      (level) =>
        shown.includes(`${kind} ${level}`) ||
        `${kind} ${level}` in VIEW_NAMES ||
        alone.some((each) => lowestEqualLevel(kind, each) === level),
    )
    return levels.map((level) => {
      const suffix = level === levels.at(-1) ? '' : LEVEL_SUFFIXES[level]
      const name = VIEW_NAMES[`${kind} ${level}`] ?? `${nameOfKind(kind)}${suffix}`
      return {
        ...{ name, schema: responseOf(kind, level) },
        ...{ texts: describeView(kind, level), example: exampleOf(kind, level) },
      }
    })
  })
}
