import type { Role } from '@sales-crm/core'
import type { Html } from '../markup.ts'

interface Notice {
  readonly title: string
  readonly text: string
}

/** Words around a part that is markup already: a name, a date. */
type Around = (part: Html) => Html

/**
 * All that pages say, in one language. Names from others go through `Around`, or are made harmless by the function that takes them. The
 * hyphen of "e‑mail" in a sentence is one at which no line breaks; labels have the one that people type.
 */
export interface Translations {
  readonly language: 'en' | 'pt-BR'
  readonly layout: {
    readonly skip: string
    readonly account: string
    readonly signOut: string
    /** Before the title of a page with faults, where it is read out first. */
    readonly errorPrefix: string
  }
  readonly links: { readonly signIn: string; readonly account: string; readonly forgot: string }
  readonly signIn: {
    readonly title: string
    readonly lead: string
    readonly leadForApp: string
    readonly email: string
    readonly password: string
    readonly submit: string
    readonly forgot: string
  }
  readonly consent: {
    readonly title: string
    readonly heading: Around
    readonly goesTo: Around
    /** Where there is nothing to allow. */
    readonly goesToDenied: Around
    /** A host that is the reader's own machine. */
    readonly thisDevice: Around
    readonly signedInAs: Around
    readonly notYou: string
    readonly workspace: string
    readonly chooseWorkspace: string
    readonly noWorkspace: Notice
    readonly permissions: string
    readonly asYou: string
    readonly lasts: string
    readonly caution: string
    /** Of a program that nobody registered by hand. */
    readonly selfNamed: string
    /** The host of the document that describes it. */
    readonly describedAt: Around
    readonly programCaution: string
    readonly approve: string
    readonly deny: string
  }
  readonly credentials: {
    readonly title: string
    readonly heading: Around
    readonly lead: string
    readonly replaces: string
    readonly show: string
    readonly shownTitle: string
    readonly shownHeading: Around
    readonly keep: string
    readonly clientId: string
    readonly clientSecret: string
    readonly selectAll: string
  }
  readonly password: {
    readonly forgotTitle: string
    readonly forgotLead: string
    readonly forgotSubmit: string
    readonly back: string
    readonly resetTitle: string
    readonly resetLead: string
    readonly resetSubmit: string
    readonly changeTitle: string
    readonly changeLead: string
    readonly changeSubmit: string
    readonly cancel: string
    readonly current: string
    readonly fresh: string
    readonly hint: string
  }
  readonly account: {
    readonly title: string
    readonly apps: string
    readonly noApps: string
    readonly inWorkspace: Around
    readonly connected: Around
    readonly lastUsed: Around
    readonly permissions: (count: number) => string
    readonly disconnect: string
    readonly disconnectMeans: Around
    readonly disconnectNow: Around
    readonly workspaces: string
    readonly noWorkspaces: string
    readonly team: string
    readonly teamOf: Around
    readonly security: string
    readonly changePassword: string
  }
  readonly team: {
    readonly title: string
    readonly heading: Around
    readonly members: string
    readonly you: string
    readonly remove: string
    readonly removeMeans: Around
    readonly removeNow: Around
    readonly leave: string
    readonly leaveWhat: string
    readonly leaveMeans: string
    readonly leaveNow: string
    readonly invitations: string
    readonly noInvitations: string
    readonly goodUntil: Around
    readonly withdraw: string
    readonly withdrawFrom: Around
    readonly inviteTitle: string
    readonly inviteLead: string
    readonly email: string
    readonly role: string
    readonly invite: string
  }
  readonly roles: Readonly<Record<Role, { readonly name: string; readonly may: string }>>
  readonly invitation: {
    readonly title: string
    readonly heading: Around
    readonly asRole: (role: Role) => string
    readonly leadNew: string
    readonly leadKnown: Around
    /** For someone who is signed in as another than the one who is invited. */
    readonly leadOther: (invited: Html, visitor: Html) => Html
    readonly email: string
    readonly name: string
    readonly password: string
    readonly submitNew: string
    readonly submitKnown: string
  }
  readonly errors: {
    readonly requestRefused: Notice
    readonly tooMany: Notice
    readonly details: string
    readonly code: string
    readonly message: string
    readonly fields: string
    readonly requestId: string
  }
  /** What an app may do, for each scope. */
  readonly scopes: Readonly<Record<string, string>>
  /** What is right in each field of a form. */
  readonly faults: Readonly<
    Record<'email' | 'password' | 'new_password' | 'current_password' | 'name' | 'role' | 'workspace', string>
  >
  readonly notices: {
    readonly requestOver: Notice
    readonly linkOver: Notice
    readonly secretLinkOver: string
    readonly invitationOver: string
    readonly resetMailed: Notice
    readonly passwordChanged: string
    readonly passwordReset: string
    readonly wrongCredentials: string
    readonly wrongPassword: string
    readonly tooManyTries: (minutes: number) => string
    readonly tooManyMails: (minutes: number) => string
    readonly disconnected: string
    readonly invited: (email: string) => Html
    readonly invitedAgain: (email: string) => Html
    readonly invitationWithdrawn: string
    readonly memberRemoved: string
    readonly left: string
    readonly joined: {
      readonly title: string
      readonly text: (workspace: string) => Html
      /** For someone who is signed in as another than the one who joined. */
      readonly other: (email: string, workspace: string) => Html
    }
    readonly formStale: Notice
    readonly checkFields: string
    readonly alreadyMember: string
    readonly lastOwner: string
    readonly notAllowed: Notice
    readonly notFound: Notice
    readonly somethingWrong: Notice
  }
}
