import type { Role } from '@sales-crm/core'
import type { Html } from '../markup.ts'

interface Message {
  readonly title: string
  readonly text: string
}

/** Text around a part that is already markup, such as a name or a date. */
type MarkupTemplate = (part: Html) => Html

/**
 * The texts of all pages in one language. User-chosen names are passed to a `MarkupTemplate`, or sanitized by
 * the function that takes them. "e‑mail" has a non-breaking hyphen in sentences, and a plain one in labels.
 */
export interface Translations {
  readonly language: 'en' | 'pt-BR'
  readonly layout: {
    readonly skip: string
    readonly account: string
    readonly signOut: string
    /** Prefix of the title of a page with errors. Screen readers read it first. */
    readonly errorPrefix: string
  }
  readonly links: {
    readonly signIn: string
    readonly console: string
    readonly account: string
    readonly forgot: string
  }
  readonly console: {
    readonly needsScript: string
    readonly notBuilt: Message
  }
  readonly signIn: {
    readonly title: string
    readonly lead: string
    readonly leadForApp: string
    readonly email: string
    readonly password: string
    readonly submit: string
    readonly forgot: string
    readonly demo: MarkupTemplate
    readonly demoNote: string
  }
  readonly consent: {
    readonly title: string
    readonly heading: MarkupTemplate
    readonly goesTo: MarkupTemplate
    /** Used if the user has no workspace to share. */
    readonly goesToDenied: MarkupTemplate
    /** Takes a loopback host. */
    readonly thisDevice: MarkupTemplate
    readonly signedInAs: MarkupTemplate
    readonly notYou: string
    readonly workspace: string
    readonly chooseWorkspace: string
    readonly noWorkspace: Message
    readonly permissions: string
    readonly asYou: string
    readonly lasts: string
    readonly caution: string
    /** Used for a public client. */
    readonly selfNamed: string
    /** Takes the host of the client's metadata document. */
    readonly describedAt: MarkupTemplate
    readonly programCaution: string
    readonly approve: string
    readonly deny: string
  }
  readonly credentials: {
    readonly title: string
    readonly heading: MarkupTemplate
    readonly lead: string
    readonly replaces: string
    readonly show: string
    readonly shownTitle: string
    readonly shownHeading: MarkupTemplate
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
    readonly inWorkspace: MarkupTemplate
    readonly connected: MarkupTemplate
    readonly lastUsed: MarkupTemplate
    readonly permissions: (count: number) => string
    readonly disconnect: string
    readonly disconnectMeans: MarkupTemplate
    readonly disconnectNow: MarkupTemplate
    readonly endSessionsMeans: string
    readonly endSessions: string
    readonly stillConnected: (count: number) => string
    readonly disconnectAll: string
    readonly openWorkspace: MarkupTemplate
    readonly workspaces: string
    readonly noWorkspaces: string
    readonly members: string
    readonly membersOf: MarkupTemplate
    readonly security: string
    readonly changePassword: string
    readonly signOutEverywhere: string
  }
  readonly setup: {
    readonly title: string
    readonly lead: string
    readonly country: string
    readonly next: string
    readonly slugStays: string
    readonly company: string
    readonly name: string
    readonly nameHint: string
    readonly slug: string
    readonly slugHint: string
    readonly otherCountry: string
    readonly currency: string
    readonly locale: string
    readonly time_zone: string
    readonly owner: string
    readonly owner_name: string
    readonly owner_email: string
    readonly emailHint: string
    readonly owner_password: string
    readonly submit: string
    readonly once: string
    readonly byLink: string
    readonly linkOver: string
    readonly doneTitle: string
    readonly done: string
  }
  readonly members: {
    readonly title: string
    readonly heading: MarkupTemplate
    readonly members: string
    readonly you: string
    readonly remove: string
    readonly removeMeans: MarkupTemplate
    readonly removeNow: MarkupTemplate
    readonly leave: string
    readonly leaveWhat: string
    readonly leaveMeans: string
    readonly leaveNow: string
    readonly invitations: string
    readonly noInvitations: string
    readonly goodUntil: MarkupTemplate
    readonly withdraw: string
    readonly withdrawFrom: MarkupTemplate
    readonly stoppedWebhooks: string
    readonly stoppedWebhooksMean: string
    readonly webhookOf: MarkupTemplate
    readonly webhookOfNobody: string
    readonly linkTitle: MarkupTemplate
    readonly linkMeans: string
    readonly inviteTitle: string
    readonly inviteLead: string
    readonly email: string
    readonly role: string
    readonly invite: string
  }
  readonly roles: Readonly<Record<Role, { readonly name: string; readonly may: string }>>
  readonly invitation: {
    readonly title: string
    readonly heading: MarkupTemplate
    readonly asRole: (role: Role) => string
    readonly leadNew: string
    readonly leadKnown: MarkupTemplate
    /** Used if the signed-in user is not the invited one. */
    readonly signInFirst: string
    readonly leadOther: (invited: Html, signedInAs: Html) => Html
    readonly email: string
    readonly name: string
    readonly password: string
    readonly submitNew: string
    readonly submitKnown: string
  }
  readonly errors: {
    readonly requestRefused: Message
    readonly tooMany: Message
    readonly details: string
    readonly code: string
    readonly message: string
    readonly fields: string
    readonly requestId: string
  }
  /** Descriptions by scope. */
  readonly scopes: Readonly<Record<string, string>>
  /** Validation messages by form field. */
  readonly fieldErrors: Readonly<
    Record<
      | 'email'
      | 'password'
      | 'new_password'
      | 'current_password'
      | 'name'
      | 'role'
      | 'workspace'
      | 'slug'
      | 'country'
      | 'currency'
      | 'locale'
      | 'time_zone'
      | 'owner_name'
      | 'owner_email'
      | 'owner_password',
      string
    >
  >
  readonly messages: {
    readonly requestOver: Message
    readonly linkOver: Message
    /** Of an offer, for the customer. */
    readonly offerOver: { readonly title: string; readonly writeTo: MarkupTemplate }
    readonly secretLinkOver: string
    readonly invitationOver: string
    readonly resetMailed: Message
    readonly passwordChanged: string
    readonly passwordReset: string
    readonly wrongCredentials: string
    readonly wrongPassword: string
    readonly tooManyTries: (minutes: number) => string
    readonly tooManyMails: (minutes: number) => string
    readonly sessionsEnded: string
    readonly disconnected: string
    readonly allDisconnected: string
    readonly invited: (email: string) => Html
    readonly invitedAgain: (email: string) => Html
    readonly invitationWithdrawn: string
    readonly memberRemoved: string
    readonly left: string
    readonly joined: {
      readonly title: string
      readonly text: (workspace: string) => Html
      /** Used if the signed-in user is not the one who joined. */
      readonly other: (email: string, workspace: string) => Html
    }
    readonly formStale: Message
    readonly checkFields: string
    readonly alreadyMember: string
    readonly unverifiedAccount: string
    readonly lastOwner: string
    readonly notAllowed: Message
    readonly notFound: Message
    readonly somethingWrong: Message
  }
}
