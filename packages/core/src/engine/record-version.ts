import { preconditionFailed } from '../kernel/errors.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Secrets } from '../ports/crypto.ts'
import { KINDS } from '../schema/index.ts'

/** A view with the version of its record. */
export interface Versioned<View> {
  readonly data: View
  /** Letters and digits. It differs after every change of the record itself, not of what the view embeds. */
  readonly version: string
}

/** Conditions of an update or a deletion. */
export interface WriteConditions {
  /** Versions from `getVersioned`, one of which the record must have. Undefined allows any. */
  readonly versions?: readonly string[] | undefined
}

/** The names of fields that are no part of a version, in any kind. */
const UNVERSIONED_FIELDS: ReadonlySet<string> = new Set(
  Object.values(KINDS).flatMap(({ fields }) =>
    Object.entries<object>(fields).flatMap(([name, field]) => ('isVersioned' in field ? [name] : [])),
  ),
)

/** Enough to tell the versions of one record apart. */
const VERSION_LENGTH = 16

interface HasSecrets {
  readonly secrets: Pick<Secrets, 'hash'>
}

/** @param parts records that belong to it, such as the stages of a pipeline */
export function versionOf(
  record: RecordBase,
  { secrets }: HasSecrets,
  parts: readonly RecordBase[] = [],
): string {
  const rows = [record, ...parts].map((each) =>
    // Sorted, since the order of the fields is that of the store.
    Object.entries(each)
      .filter(([field]) => !UNVERSIONED_FIELDS.has(field))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return secrets.hash(JSON.stringify(rows)).slice(0, VERSION_LENGTH)
}

/** @throws CrmError `precondition_failed` */
export function requireVersion(
  record: RecordBase,
  { versions }: WriteConditions,
  ports: HasSecrets,
  parts?: readonly RecordBase[],
): void {
  if (versions && !versions.includes(versionOf(record, ports, parts))) throw preconditionFailed()
}
