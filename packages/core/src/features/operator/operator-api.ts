import { SCOPES } from '../../kernel/actor.ts'
import type { Ports } from '../../ports/index.ts'
import { type ExportOptions, exportWorkspace } from '../archives/export-workspace.ts'
import { type ImportOptions, importWorkspace } from '../archives/import-workspace.ts'
import { createApp } from '../oauth/server/create-app.ts'
import type { accessTokens } from '../oauth/tokens/access-tokens.ts'
import { loadBacklog } from '../webhooks/backlog.ts'
import { addMember } from './add-member.ts'
import { createToken } from './create-token.ts'
import { createWorkspace } from './create-workspace.ts'
import { listApps } from './list-apps.ts'
import { listMembers } from './list-members.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { loadActor } from './load-actor.ts'
import { removeMember } from './remove-member.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { updateMember } from './update-member.ts'
import { updateWorkspace } from './update-workspace.ts'

type InputOf<F> = F extends (ports: Ports, input: infer I) => unknown ? I : never

/** Use-cases that check no permission, for trusted code only. */
export function operatorApi(ports: Ports, tokens: ReturnType<typeof accessTokens>) {
  return {
    /** All workspaces in the order of creation. */
    allWorkspaces: () => listWorkspaces(ports),
    /** The current members of a workspace, by its slug. @throws CrmError `not_found` */
    membersOf: (workspace: Parameters<typeof listMembers>[1]) => listMembers(ports, workspace),
    /** The registered apps in the order of registration. */
    allApps: () => listApps(ports),
    /**
     * Creates a workspace with its owner and the default task types. An existing user keeps name and password.
     * @throws CrmError `validation_error`, `conflict`
     */
    createWorkspace: (input: InputOf<typeof createWorkspace>) => createWorkspace(ports, input),
    /**
     * Changes settings of a workspace, by its slug. Stored amounts are not converted.
     * @throws CrmError `validation_error`, `bad_request`, `not_found`
     */
    updateWorkspace: (input: InputOf<typeof updateWorkspace>) => updateWorkspace(ports, input),
    /** @throws CrmError `validation_error`, `not_found`, `conflict` for a current member */
    addMember: (input: InputOf<typeof addMember>) => addMember(ports, input),
    /** Changes the role of a member. @throws CrmError `not_found`, `validation_error`, also for the last owner */
    updateMember: (input: InputOf<typeof updateMember>) => updateMember(ports, input),
    /**
     * Ends the membership and every access that the member granted. `reassign_to` is the e-mail address of the member
     * who takes over its records.
     * @throws CrmError `not_found`, `validation_error`
     */
    removeMember: (input: InputOf<typeof removeMember>) => removeMember(ports, input),
    /** Registers an app that is active at once, and returns its secret. @throws CrmError `validation_error` */
    createApp: (input: InputOf<typeof createApp>) => createApp(ports, input),
    /**
     * Stores a grant as if the user had approved it, and returns its tokens. Default: all scopes of the app.
     * @throws CrmError `validation_error`, `not_found`
     */
    createToken: (input: Parameters<typeof createToken>[2]) => createToken(ports, tokens, input),
    /**
     * The actor of a member with the current role. Default: all scopes, client id `embedded`.
     * @throws CrmError `not_found`
     */
    actorFor: (input: Parameters<typeof loadActor>[1]) => loadActor(ports, input),
    /** Signs new tokens with a new key. Issued tokens stay valid. */
    rotateKey: () => tokens.rotateKey(),
    /** Seals everything that is sealed under the previous secret key under the present one. */
    resealSecrets: (present: Parameters<typeof resealSecrets>[1]) => resealSecrets(ports, present),
    /** Pending deliveries of all workspaces. */
    backlog: () => loadBacklog(ports),
    /**
     * Writes a workspace to an archive, as it is at one moment: records, files, settings and members, without secrets.
     * @throws CrmError `validation_error`, `not_found`, `conflict` while deliveries or background work are pending
     */
    exportWorkspace: (input: Parameters<typeof exportWorkspace>[1], options: ExportOptions) =>
      exportWorkspace(ports, input, options),
    /**
     * Writes the workspace of an archive in one transaction, reads it back, and compares both. Members join the accounts
     * with their e-mail addresses, or get new ones without a password.
     * @throws CrmError `bad_request` for a damaged archive or one of another schema, `conflict` for a taken id or slug
     */
    importWorkspace: (options: ImportOptions) => importWorkspace(ports, options),
    /** All scopes. */
    scopes: SCOPES,
  }
}
