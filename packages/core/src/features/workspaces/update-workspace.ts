import type * as v from 'valibot'
import type { ChangeContext } from '../../engine/extension.ts'
import { loadRole } from '../../engine/load-role.ts'
import { hasChanges } from '../../engine/patch.ts'
import { requireVersion, type WriteConditions } from '../../engine/record-version.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object } from '../../kernel/object-schemas.ts'
import { mergeVisibility, type VisibilityChanges } from '../../kernel/visibility.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import { senderChanges } from '../../schema/sender.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { changeSender, prepareSender, type SenderChanges } from './sender.ts'
import { moveWholeDays } from './time-zone-change.ts'
import { countryCode, localeName, timeZoneName, visibilityChanges, workspaceName } from './workspace.ts'

export const WORKSPACE_SCOPE = 'workspace:manage'

export const workspaceChanges = object({
  ...changeable({
    name: workspaceName,
    currency: oneOf(CURRENCIES),
    locale: localeName,
    time_zone: timeZoneName,
    visibility: visibilityChanges,
  }),
  ...clearable({ country: countryCode, sender: senderChanges }),
})

/** The settings of a workspace that `crm.workspace.update` changes. Its slug stays. */
export type WorkspaceChanges = v.InferInput<typeof workspaceChanges>

interface SettingChanges extends Partial<Omit<Workspace, 'visibility' | 'sender'>> {
  readonly sender?: SenderChanges | undefined
  readonly visibility?: VisibilityChanges | undefined
}

/** @throws CrmError `insufficient_scope`, `validation_error`, `bad_request`, `not_found`, `forbidden` unless the actor is an owner */
export async function updateWorkspace(
  ports: Pick<Ports, 'storage' | 'now' | 'newId' | 'secrets' | 'random' | 'files'>,
  actor: Actor,
  input: WorkspaceChanges,
  conditions: WriteConditions = {},
): Promise<void> {
  requireScope(actor, WORKSPACE_SCOPE)
  const { storage, secrets } = ports
  const fields = await prepareChanges(input, ports)
  await storage.transact(async (tx) => {
    const before = await tx.workspaces.getForUpdate(actor.workspaceId)
    if (!before) throw notFound('Workspace')
    if ((await loadRole(actor, asService(tx, before.id))) !== 'owner') throw forbidden('update', 'workspace')
    requireVersion(before, conditions, { secrets })
    await saveChanges(tx, before, fields, { ...ports, at: ports.now(), actingUserId: actor.userId })
  })
}

/** @throws CrmError `validation_error`, `bad_request` without a change */
export async function prepareChanges(
  input: WorkspaceChanges,
  { files }: Pick<Ports, 'files'>,
): Promise<SettingChanges> {
  const { sender, ...settings } = validatePatch(workspaceChanges, input)
  return sender === undefined ? settings : { ...settings, sender: await prepareSender(sender, files) }
}

/**
 * Writes nothing if nothing changes. With the time zone, whole days move in the background. The caller has locked the
 * workspace for update.
 */
export async function saveChanges(
  tx: Transaction,
  before: Workspace,
  { visibility, sender, ...settings }: SettingChanges,
  context: ChangeContext & { readonly actingUserId: string } & Pick<Ports, 'random'>,
): Promise<Workspace> {
  const fields = {
    ...settings,
    ...(visibility && { visibility: mergeVisibility(before.visibility, visibility) }),
    ...(sender !== undefined && {
      sender: await changeSender(before.sender, sender, asService(tx, before.id), context),
    }),
  }
  if (!hasChanges(before, fields)) return before
  const after = { ...before, ...fields, updated_at: context.at }
  await tx.workspaces.update(after)
  const zones = { from: before.time_zone, to: after.time_zone, actingUserId: context.actingUserId }
  if (zones.from !== zones.to) await moveWholeDays(zones, asService(tx, before.id), context)
  return after
}
