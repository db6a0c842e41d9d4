import * as v from 'valibot'
import { singleLineText } from '../../engine/text-schemas.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Workspace } from '../../schema/workspace.ts'

/** A workspace, without its use of storage. */
export type WorkspaceView = Pick<Workspace, 'id' | 'name' | 'slug' | 'locale' | 'currency' | 'time_zone'>

export function toWorkspaceView({ id, name, slug, locale, currency, time_zone }: Workspace): WorkspaceView {
  return { id, name, slug, locale, currency, time_zone }
}

export const slug = v.pipe(
  singleLineText(1, 63),
  v.toLowerCase(),
  v.check(
    (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
    'Must be lower-case letters and digits, joined by single hyphens.',
  ),
)

export const localeName = v.pipe(
  v.string('Must be a string.'),
  v.check(isLocale, 'Must be a BCP 47 locale such as pt-BR.'),
)
export const timeZoneName = v.pipe(
  v.string('Must be a string.'),
  v.check(isTimeZone, 'Must be an IANA time zone such as America/Sao_Paulo.'),
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

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([text]).length === 1
  } catch {
    return false
  }
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
