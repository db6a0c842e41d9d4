import * as v from 'valibot'
import { notFound } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/field-schemas.ts'
import { changeable, object } from '../../kernel/object-schemas.ts'
import { jsonSchema, singleLineText } from '../../kernel/text-schemas.ts'
import { VISIBILITY_RULES } from '../../kernel/visibility.ts'
import type { Transaction } from '../../ports/storage.ts'
import { COUNTRIES } from '../../schema/country.ts'
import type { Workspace } from '../../schema/workspace.ts'

/** A workspace, without its use of storage. */
export type WorkspaceView = Pick<
  Workspace,
  'id' | 'name' | 'slug' | 'country' | 'locale' | 'currency' | 'time_zone' | 'visibility'
>

export function toWorkspaceView(workspace: Workspace): WorkspaceView {
  const { id, name, slug, country, locale, currency, time_zone, visibility } = workspace
  return { id, name, slug, country, locale, currency, time_zone, visibility }
}

export const workspaceName = singleLineText(1, 80)

export const slug = v.pipe(
  singleLineText(1, 63),
  v.toLowerCase(),
  v.check(
    (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
    'Must be lower-case letters and digits, joined by single hyphens.',
  ),
)

/** Longer than any locale or time zone. */
const MAX_NAME_LENGTH = 100

/** In either case. */
export const countryCode = v.pipe(
  v.string('Must be a string.'),
  v.toUpperCase(),
  v.check((code) => COUNTRIES.includes(code), 'Must be a country of ISO 3166 such as BR.'),
  jsonSchema({ pattern: '^[A-Za-z]{2}$' }),
)
/** In any case. */
export const localeName = v.pipe(
  v.string('Must be a string.'),
  v.check(isLocale, 'Must be a BCP 47 locale such as pt-BR.'),
  jsonSchema({ maxLength: MAX_NAME_LENGTH }),
  v.transform((locale) => Intl.getCanonicalLocales(locale)[0]!),
)
/** In any case. An offset such as +03:00, which Intl takes too, is no time zone: it knows no summer time. */
export const timeZoneName = v.pipe(
  v.string('Must be a string.'),
  v.check(isTimeZone, 'Must be an IANA time zone such as America/Sao_Paulo.'),
  jsonSchema({ maxLength: MAX_NAME_LENGTH }),
  v.transform(writeTimeZone),
)

const visibilityRule = oneOf(VISIBILITY_RULES)

/** Kinds that are left out keep their rule. */
export const visibilityChanges = object(
  changeable({
    people: visibilityRule,
    companies: visibilityRule,
    deals: visibilityRule,
    tasks: visibilityRule,
  }),
)

/**
 * Ignores case.
 * @throws CrmError `not_found`
 */
export async function findWorkspaceBySlug(tx: Transaction, slug: string): Promise<Workspace> {
  const [workspace] = await tx.workspaces.find([{ field: 'slug', is: slug.toLowerCase() }])
  if (!workspace) throw notFound('Workspace')
  return workspace
}

/** The country that a locale such as `pt-BR` names, else null. */
export function findCountry(locale: string | null | undefined): string | null {
  const region = locale == null ? undefined : new Intl.Locale(locale).region
  return region !== undefined && COUNTRIES.includes(region) ? region : null
}

function isLocale(text: string): boolean {
  try {
    return text.length <= MAX_NAME_LENGTH && Intl.NumberFormat.supportedLocalesOf([text]).length === 1
  } catch {
    return false
  }
}

function isTimeZone(text: string): boolean {
  try {
    return text.length <= MAX_NAME_LENGTH && /^[a-z]/i.test(text) && resolveTimeZone(text) !== ''
  } catch {
    return false
  }
}

/** The name in its usual case. An alias stays, although Intl resolves it to the name of another one. */
function writeTimeZone(name: string): string {
  const resolved = resolveTimeZone(name)
  return resolved.toLowerCase() === name.toLowerCase() ? resolved : name
}

function resolveTimeZone(name: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}
