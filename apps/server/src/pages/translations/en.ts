import { html, isolateName } from '../markup.ts'
import type { Translations } from './translations.ts'

export const en: Translations = {
  language: 'en',
  layout: {
    skip: 'Skip to the content',
    account: 'Your account',
    signOut: 'Sign out',
    errorPrefix: 'Error: ',
  },
  console: {
    needsScript: 'This application needs JavaScript.',
    notBuilt: {
      title: 'The application is not there',
      text: 'The API and the other pages work. The log of the service says why.',
    },
  },
  links: {
    signIn: 'Go to sign-in',
    console: 'Open the CRM',
    account: 'Go to your account',
    forgot: 'Ask for a new link',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Good to see you again.',
    leadForApp:
      'An app is asking for access. Sign in to see what it asks for; nothing is shared until you allow it.',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    demo: (name) => html`Enter the demo as ${name}`,
    demoNote: 'Its data is made up, and its password is public.',
  },
  consent: {
    title: 'Allow access?',
    heading: (app) => html`${app} is asking for access to your workspace`,
    goesTo: (host) => html`Whatever you decide, you go on to ${host}.`,
    goesToDenied: (host) => html`If you deny, you go on to ${host}.`,
    thisDevice: (host) => html`a program on this device (${host})`,
    signedInAs: (user) => html`Signed in as ${user}`,
    notYou: 'Not you? Sign out',
    workspace: 'Workspace',
    chooseWorkspace: 'Which workspace may it use?',
    noWorkspace: {
      title: 'There is no workspace to share',
      text:
        'You belong to no workspace, so there is nothing this app could be let into. ' +
        'Ask a colleague for an invitation, or deny the request.',
    },
    permissions: 'What it will be able to do',
    asYou: 'It acts in your name, and never beyond what your own role allows.',
    lasts: 'Access lasts until you remove the app on your account page, or until it goes unused for 60 days.',
    caution:
      'Anyone can register an app, under any name. ' +
      'Allow access only if you know this one and started this yourself.',
    selfNamed: 'This program chose its name itself, and nobody has checked it.',
    describedAt: (host) =>
      html`It is described at ${host}: whoever runs that site decides what it is called and where it leads.`,
    programCaution: 'Allow access only if you trust this program, and have just connected it yourself.',
    approve: 'Allow access',
    deny: 'Deny',
  },
  credentials: {
    title: 'Client secret',
    heading: (app) => html`The client secret of ${app}`,
    lead:
      'It is made when you press the button, and shown once. ' +
      'Be ready to put it where your app keeps its secrets.',
    replaces: 'If the app had a secret before, it no longer works.',
    show: 'Show the secret, once',
    shownTitle: 'Your client secret',
    shownHeading: (app) => html`${app} is ready to connect`,
    keep:
      'Copy the secret now. When you leave this page it is gone: ' +
      'we keep no copy that could be shown again.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    selectAll: 'One click selects all of it.',
  },
  password: {
    forgotTitle: 'Forgot your password?',
    forgotLead: 'Tell us your e‑mail address, and we will send you a link to set a new one.',
    forgotSubmit: 'Send the link',
    back: 'Back to sign-in',
    resetTitle: 'Set a new password',
    resetLead: 'You are then signed in here, and signed out everywhere else.',
    resetSubmit: 'Save and sign in',
    changeTitle: 'Change your password',
    changeLead: 'You stay signed in here, and are signed out everywhere else.',
    changeSubmit: 'Change password',
    cancel: 'Cancel',
    current: 'Current password',
    fresh: 'New password',
    hint: 'At least 8 characters. A few unrelated words make a good one.',
  },
  account: {
    title: 'Your account',
    apps: 'Connected apps',
    noApps: 'No app has access. One that you let in appears here, and you can remove it at any time.',
    inWorkspace: (workspace) => html`in ${workspace}`,
    connected: (time) => html`Connected ${time}`,
    lastUsed: (time) => html`Last active ${time}`,
    permissions: (count) => (count === 1 ? '1 permission' : `${count} permissions`),
    disconnect: 'Remove',
    disconnectMeans: (app) => html`${app} loses its access at once. To come back, it has to ask you again.`,
    disconnectNow: (app) => html`Remove ${app}`,
    endSessionsMeans:
      'Every other browser is signed out at once, in all workspaces. You stay signed in here.',
    endSessions: 'Sign out all others',
    stillConnected: (count) =>
      count === 1
        ? 'One app that you let in keeps its access. If somebody else knew your password, remove it.'
        : `${count} apps that you let in keep their access. If somebody else knew your password, remove them.`,
    disconnectAll: 'Remove all apps',
    openWorkspace: (workspace) => html`Open<span class="unseen"> ${workspace}</span>`,
    workspaces: 'Workspaces',
    noWorkspaces: 'You belong to no workspace yet. A colleague can invite you.',
    members: 'Members',
    membersOf: (workspace) => html`of ${workspace}`,
    security: 'Security',
    changePassword: 'Change password',
    signOutEverywhere: 'Sign out everywhere',
  },
  setup: {
    title: 'Set up your CRM',
    lead: 'It takes two minutes. Where is your company?',
    country: 'Country',
    next: 'Next',
    slugStays: 'Only the short name is final: it is a part of every link.',
    company: 'Your company',
    name: 'Name of the workspace',
    nameHint: 'Your colleagues see it. Most take the company’s name.',
    slug: 'Short name',
    slugHint: 'Lower-case letters, digits and hyphens. Left empty, it is made from the name.',
    otherCountry: 'Choose another country',
    currency: 'Currency of new deals',
    locale: 'Amounts are written as in',
    time_zone: 'Time zone',
    owner: 'You, the owner',
    owner_name: 'Your name',
    owner_email: 'E-mail',
    emailHint: 'You sign in with it.',
    owner_password: 'Password',
    submit: 'Create workspace',
    once: 'What you type stays on this server. The page works once: it is gone as soon as the workspace exists.',
    byLink:
      'Open the link that the service wrote when it started: on its terminal, or in its log. Each start writes a new one.',
    linkOver: 'This link does not work, or no longer.',
    doneTitle: 'This service is set up',
    done: 'It has a workspace, so this page makes no other. Sign in, or ask a colleague for an invitation.',
  },
  members: {
    title: 'Members',
    heading: (workspace) => html`The members of ${workspace}`,
    members: 'Members',
    you: 'you',
    remove: 'Remove',
    removeMeans: (name) => html`${name} loses access at once, and so do the apps they let in. Records stay.`,
    removeNow: (name) => html`Remove ${name}`,
    leave: 'Leave',
    leaveWhat: 'the workspace',
    leaveMeans: 'You lose access to this workspace at once, and so do the apps you let in. Records stay.',
    leaveNow: 'Leave the workspace',
    invitations: 'Open invitations',
    noInvitations: 'None are open.',
    goodUntil: (time) => html`Good until ${time}`,
    withdraw: 'Withdraw',
    withdrawFrom: (email) => html`the invitation of ${email}`,
    stoppedWebhooks: 'Stopped webhooks',
    stoppedWebhooksMean:
      'Who created them is no owner or admin any more, so they deliver nothing. An owner can take each one over.',
    webhookOf: (name) => html`Created by ${name}`,
    webhookOfNobody: 'Created by somebody unknown',
    linkTitle: (email) => html`The link for ${email}`,
    linkMeans:
      'Pass it on yourself: this service has no mail server. It is shown once and good for seven days. Who opens it joins.',
    inviteTitle: 'Invite someone',
    inviteLead: 'They get a link that is good for seven days.',
    email: 'E-mail',
    role: 'Role',
    invite: 'Send invitation',
  },
  roles: {
    owner: { name: 'Owner', may: 'Everything, and may invite and remove other owners.' },
    admin: { name: 'Admin', may: 'Everything, except inviting and removing owners.' },
    member: { name: 'Member', may: 'Works with records, and changes those that are theirs or nobody’s.' },
  },
  invitation: {
    title: 'Join a workspace',
    heading: (workspace) => html`Join ${workspace}`,
    asRole: (role) =>
      `You are invited as ${{ owner: 'an owner', admin: 'an admin', member: 'a member' }[role]}.`,
    leadNew: 'Choose your name and a password, and you are in.',
    leadKnown: (email) => html`The invitation is for the account ${email}, which you already have.`,
    signInFirst: 'Sign in to that account, and open the link again.',
    leadOther: (invited, signedInAs) =>
      html`This invitation is for ${invited}. You are signed in as ${signedInAs}.`,
    email: 'E-mail',
    name: 'Your name',
    password: 'Password',
    submitNew: 'Create account and join',
    submitKnown: 'Join workspace',
  },
  errors: {
    requestRefused: {
      title: 'This request cannot continue',
      text:
        'The app that sent you here asked for something in a way we cannot accept. Nothing was shared. ' +
        'Go back to it and try again; if it happens again, give its makers the details below.',
    },
    tooMany: {
      title: 'Too many requests',
      text: 'That was a lot in a short time. Wait a moment, then try again.',
    },
    details: 'Details for developers',
    code: 'Code',
    message: 'Message',
    fields: 'Parameters',
    requestId: 'Request ID',
  },
  scopes: {
    'people:read': 'See people, with their contact details and custom fields.',
    'people:write': 'Add, change and delete people.',
    'companies:read': 'See companies, with their contact details and custom fields.',
    'companies:write': 'Add, change and delete companies.',
    'deals:read': 'See deals, with their amounts, and pipelines.',
    'deals:write': 'Add, change and delete deals and pipelines.',
    'tasks:read': 'See tasks and task types.',
    'tasks:write': 'Add, change and delete tasks and task types.',
    'activities:read': 'See activities and their attachments.',
    'activities:write': 'Add, change and delete activities and their attachments.',
    'products:read': 'See products and their prices.',
    'products:write': 'Add, change and delete products.',
    'tags:read': 'See tags.',
    'tags:write': 'Add, change and delete tags.',
    'lists:read': 'See lists and how many records they hold.',
    'lists:write': 'Add, change and delete lists.',
    'custom_fields:read': 'See how custom fields are set up.',
    'custom_fields:write': 'Add, change and delete custom fields.',
    'views:read': 'See saved views.',
    'views:write': 'Save, change and delete views.',
    'members:read': 'See who is in the workspace, with e‑mail addresses, roles and teams.',
    'members:manage': 'Change the roles of members and their teams, remove them, and invite new ones.',
    'webhooks:manage':
      'Send what changes in the workspace to addresses it chooses, and manage these webhooks.',
    'webhooks:read': 'See its webhooks and what was sent through them.',
    'imports:read': 'See imports of files and their results.',
    'imports:write': 'Import files, and take imports back.',
    'imports:manage': 'Set when records were created and closed, as another system has it.',
    'workspace:manage':
      'Change the settings of the workspace: name, country, currency, locale and time zone.',
  },
  fieldErrors: {
    email: 'Enter an e‑mail address such as ana@example.com.',
    password:
      'Enter a password of 8 to 200 characters that is not a common one, nor made of your e‑mail address.',
    new_password:
      'Choose a new password of 8 to 200 characters that is not a common one, nor made of your e‑mail address.',
    current_password: 'Enter your current password.',
    name: 'Enter a name of 1 to 80 characters.',
    role: 'Choose one of the roles.',
    workspace: 'Choose a workspace.',
    slug: 'Enter a short name of lower-case letters and digits, joined by single hyphens.',
    country: 'Choose a country.',
    currency: 'Choose a currency.',
    locale: 'Choose how amounts are written.',
    time_zone: 'Choose a time zone.',
    owner_name: 'Enter your name, of 1 to 80 characters.',
    owner_email: 'Enter your e‑mail address, such as ana@example.com.',
    owner_password:
      'Choose a password of 8 to 200 characters that is not a common one, nor made of your e‑mail address.',
  },
  messages: {
    requestOver: {
      title: 'This request has ended',
      text:
        'It was decided already, or has waited for more than 30 minutes. ' +
        'If you still want to connect the app, start again from there.',
    },
    offerOver: {
      title: 'This offer is no longer valid',
      writeTo: (email) => html`Write to ${email}.`,
    },
    linkOver: {
      title: 'This link no longer works',
      text:
        'It was used already, or it has expired. ' +
        'Links from our e‑mails work once, and for a limited time.',
    },
    secretLinkOver: 'For another secret, ask for one with POST /v1/auth/rotate-app.',
    invitationOver: 'Ask whoever invited you for another.',
    resetMailed: {
      title: 'Check your inbox',
      text:
        'If there is an account with that address, an e‑mail with a link is on its way. ' +
        'The link works once, within 30 minutes.',
    },
    passwordChanged: 'Your password is changed. You are signed out everywhere else.',
    passwordReset: 'Your new password is set. You are signed out everywhere else.',
    wrongCredentials: 'E‑mail and password do not match. Check both and try again.',
    wrongPassword: 'That is not your current password.',
    tooManyTries: (minutes) =>
      minutes === 1
        ? 'Too many tries. Wait a minute, then try again.'
        : `Too many tries. Wait ${minutes} minutes, then try again.`,
    tooManyMails: (minutes) =>
      `We have sent several e‑mails already. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} ` +
      'before asking for another.',
    sessionsEnded: 'Every other browser was signed out.',
    disconnected: 'The app no longer has access.',
    allDisconnected: 'No app has access any more.',
    invited: (email) => html`The invitation to ${isolateName(email)} is on its way.`,
    invitedAgain: (email) =>
      html`A new invitation to ${isolateName(email)} is on its way. The link of the earlier one no longer works.`,
    invitationWithdrawn: 'The invitation is withdrawn. Its link no longer works.',
    memberRemoved: 'The member no longer has access.',
    left: 'You have left the workspace.',
    joined: {
      title: 'Welcome aboard',
      text: (workspace) => html`You are now a member of ${isolateName(workspace)}.`,
      other: (email, workspace) => html`${isolateName(email)} is now a member of ${isolateName(workspace)}.`,
    },
    formStale: {
      title: 'Please try that again',
      text:
        'The form had been open for too long, or did not come from our pages, so nothing was done. ' +
        'Go back, load the page anew and send it again. Cookies have to be allowed.',
    },
    checkFields: 'Please check what is marked below.',
    alreadyMember: 'This person is already a member.',
    unverifiedAccount:
      'The account of this address is not verified: its user must first request a new password by e‑mail.',
    lastOwner: 'A workspace needs an owner. Invite another owner first.',
    notAllowed: {
      title: 'Not yours to change',
      text: 'Your role in this workspace does not allow this. An owner can help.',
    },
    notFound: { title: 'Nothing here', text: 'There is no such page, or you have no access to it.' },
    somethingWrong: {
      title: 'Something went wrong',
      text: 'That was our fault, not yours. Please try again in a moment.',
    },
  },
}
