import { compactText } from '../folded-text.ts'
import type { ImportKind } from './import-kind.ts'
import { SYSTEM_FILES } from './system-files.ts'

/** The name of this service, for files that it has exported. */
export const OWN_SYSTEM = 'Sales CRM'

export type SystemName = (typeof SYSTEM_FILES)[number]['name'] | typeof OWN_SYSTEM

/** A kind of file that another system exports. */
export interface SystemFile {
  readonly name: SystemName
  /** The system, as the source of external ids. */
  readonly source: string
  /** The kind of its rows. */
  readonly kind: ImportKind
  readonly headers: ReadonlySet<string>
}

const FILES = SYSTEM_FILES.map(({ name, source, kind, signatures, headers }) => ({
  file: {
    ...{ name, source, kind },
    headers: new Set([...headers, ...signatures.flat()].map(compactText)),
  } satisfies SystemFile,
  signatures: signatures.map((names) => names.map(compactText)),
}))

/** Headers that the file must share with an export to be taken for one. */
const MIN_SHARED = 2

const PIPEDRIVE_HEADER = /^(person|pessoa|organi[sz]ation|organização|deal|negócio|lead|product|produto) - /i

/** Finds the system that made a file, by headers that only its exports have. */
export function detectSystem(headers: readonly string[]): SystemName | undefined {
  return findSystemFile(headers)?.name
}

/** Finds the export that a file is, as `detectSystem` does. */
export function findSystemFile(headers: readonly string[]): SystemFile | undefined {
  const names = new Set(headers.map(compactText))
  const pipedrive = findPipedriveFile(headers)
  if (pipedrive) return pipedrive
  let best: SystemFile | undefined
  let most = MIN_SHARED - 1
  for (const { file, signatures } of FILES) {
    const shared = [...names].filter((name) => file.headers.has(name)).length
    const isSigned = signatures.some((signature) => signature.every((name) => names.has(name)))
    if (isSigned && shared > most) [best, most] = [file, shared]
  }
  return best
}

/** Pipedrive names the kind in each column: `Deal - Title`. */
function findPipedriveFile(headers: readonly string[]): SystemFile | undefined {
  const own = headers.filter((header) => PIPEDRIVE_HEADER.test(header))
  if (own.length < MIN_SHARED || own.length < headers.length / 2) return undefined
  const has = (prefix: RegExp) => own.some((header) => prefix.test(header))
  const kind = has(/^(?:deal|negócio|lead)/i) ? 'deals' : has(/^(?:person|pessoa)/i) ? 'people' : 'companies'
  return { name: 'Pipedrive', source: 'Pipedrive', kind, headers: new Set(own.map(compactText)) }
}
