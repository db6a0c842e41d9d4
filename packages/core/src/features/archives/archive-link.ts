import { loadRole } from '../../engine/load-role.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { type Actor, type CancelSignal, requireScope, SCOPES } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Workspace } from '../../schema/workspace.ts'
import type { ExportTurns } from '../exports/export-turns.ts'
import { pullFrom } from '../exports/pull-from.ts'
import { runOnce } from '../exports/run-once.ts'
import { WORKSPACE_SCOPE } from '../workspaces/update-workspace.ts'
import { type LinkClaims, openLink, sealLink } from './archive-link-token.ts'
import type { ArchiveEntry } from './archive-ports.ts'
import { assertNothingPending, writeArchive } from './export-workspace.ts'

const LIFETIME_SECONDS = DAY

/** An archive has all that a member can read, so its link requires the scopes to read all of it. */
export const ARCHIVE_SCOPES: readonly string[] = [
  WORKSPACE_SCOPE,
  ...SCOPES.filter((scope) => scope.endsWith(':read')),
]

/** A link to the archive of a workspace, as `crm.workspace.createArchiveLink` returns it. */
export interface ArchiveLink {
  /** Whoever has it reads the whole workspace. */
  readonly url: string
  readonly expires_at: Instant
}

/** The archive behind a valid link. Nothing of it has been read yet. */
export interface LinkedArchive {
  readonly workspaceId: string
  readonly slug: string
  /**
   * Returns the entries of the archive, from one snapshot, the same that `operator.exportWorkspace` writes. The snapshot is
   * held until the iteration ends, so a loop should do no more than write to a disk, and call nothing else of the service.
   * Archives and other exports of a process are made one after another.
   * @param signal aborted once nobody waits for the archive
   * @throws CrmError `conflict` while deliveries or background work are pending; `not_found` for an owner who is none any
   * more; `rate_limit_exceeded` while another export of the workspace runs or waits
   */
  entries(signal?: CancelSignal): AsyncGenerator<ArchiveEntry, void, undefined>
}

/** The archive of the actor's workspace, by a link that needs no token. */
export interface ArchiveLinkApi {
  /**
   * Returns a link to the archive of the workspace, valid for a day. For an owner with the scope `workspace:manage` and all
   * scopes that end with `:read`. Nothing is stored: the link ends when its owner is no owner any more.
   * @throws CrmError `insufficient_scope`, `forbidden`; `conflict` while deliveries or background work are pending
   */
  createArchiveLink(actor: Actor): Promise<ArchiveLink>
  /**
   * Opens the archive of a link.
   * @param token the last part of the link's path
   * @throws CrmError `not_found` for a link that is unknown, altered or expired, or whose owner is no owner any more
   */
  openArchive(token: string): Promise<LinkedArchive>
}

export function archiveLinkApi(ports: Ports, turns: ExportTurns): ArchiveLinkApi {
  const { storage, issuer, now } = ports
  return {
    async createArchiveLink(actor) {
      for (const scope of ARCHIVE_SCOPES) requireScope(actor, scope)
      const { workspaceId, userId } = actor
      await storage.read(async (tx) => {
        if (!(await isOwner(tx, actor))) throw forbidden('create', 'archive')
        await assertNothingPending(tx, workspaceId)
      })
      const expires_at = addSeconds(now(), LIFETIME_SECONDS)
      const token = sealLink(ports, { workspaceId, userId, expiresAt: expires_at })
      return { url: `${issuer}/archives/${token}`, expires_at }
    },
    async openArchive(token) {
      const claims = openLink(ports, token)
      if (!claims || claims.expiresAt <= now()) throw notFound('Archive')
      const { slug } = await storage.read((tx) => findOwnWorkspace(tx, claims))
      return {
        workspaceId: claims.workspaceId,
        slug,
        entries: (signal) => readEntries(ports, turns, claims, signal),
      }
    },
  }
}

async function* readEntries(
  { storage, secrets }: Pick<Ports, 'storage' | 'secrets'>,
  turns: ExportTurns,
  claims: LinkClaims,
  signal: CancelSignal | undefined,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { workspaceId } = claims
  const endTurn = await turns.take(workspaceId)
  try {
    yield* pullFrom<ArchiveEntry>(async (give) => {
      const writer = { write: give, sha256: secrets.hash }
      const write = runOnce(async (tx: Transaction) =>
        writeArchive(tx, await findOwnWorkspace(tx, claims), {
          writer,
          schema: storage.schemaVersion ?? 0,
        }),
      )
      await storage.read(write, { workload: 'report', caller: { workspaceId, ...(signal && { signal }) } })
    })
  } finally {
    endTurn()
  }
}

async function isOwner(
  tx: Transaction,
  { workspaceId, userId }: Pick<LinkClaims, 'workspaceId' | 'userId'>,
): Promise<boolean> {
  return (await loadRole({ userId }, asService(tx, workspaceId))) === 'owner'
}

/** @throws CrmError `not_found` unless the member is an owner at this moment */
async function findOwnWorkspace(tx: Transaction, claims: LinkClaims): Promise<Workspace> {
  const workspace = (await isOwner(tx, claims)) ? await tx.workspaces.get(claims.workspaceId) : undefined
  if (!workspace) throw notFound('Archive')
  return workspace
}
