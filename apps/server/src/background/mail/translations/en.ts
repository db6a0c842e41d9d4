import type { NoticeKind } from '@sales-crm/core'
import type { MailTranslation } from '../mail-translation.ts'
import { neutralizeName } from '../neutral-name.ts'

const ROLES = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const

const SETTINGS_NOTE = 'You choose which mails you get in your settings.'

const NOTICES: Readonly<Record<NoticeKind, (title: string, actor: string) => string>> = {
  task_due: (title) => `Due today: ${title}`,
  task_overdue: (title) => `Overdue: ${title}`,
  reminder: (title) => `Reminder: ${title}`,
  mention: (title, actor) => `${actor} mentioned you on ${title}`,
  change: (title, actor) => `${actor} changed ${title}`,
}

const nameOf = (name: string | null) => (name === null ? 'Somebody' : neutralizeName(name))
const toLine = (title: string) => `– ${neutralizeName(title)}`

export const en: MailTranslation = {
  tag: 'en',
  orCopy: 'Or copy this address into your browser:',

  // The subject omits the name of the app, because anyone can register an app with any address.
  app_registered: ({ app_name, client_id, address }) => ({
    subject: 'Your app is registered',
    greeting: 'Hello,',
    opening: [
      `The app “${neutralizeName(app_name)}” was registered with this e‑mail address. ` +
        `Its client ID is ${client_id}.`,
      'Its client secret is shown once. Have a safe place ready for it, then open the page:',
    ],
    button: 'Show the client secret',
    closing: [
      'The link works once, within 15 minutes. The app stays inactive until it is used.',
      'Wasn’t it you? Then do nothing: without this link nobody can use the app. ' +
        `The request came from the network address ${address}.`,
    ],
  }),

  app_rotated: ({ app_name, client_id, address }) => ({
    subject: 'Your app needs its new client secret',
    greeting: 'Hello,',
    opening: [
      `Someone asked for a new client secret for the app “${neutralizeName(app_name)}” with the client ` +
        `ID ${client_id}. The secret it had no longer works.`,
      'The new one is shown once. Have a safe place ready for it, then open the page:',
    ],
    button: 'Show the new client secret',
    closing: [
      'The link works once, within 15 minutes. After that, ask for another secret.',
      'Wasn’t it you? Nobody but you has this link, but your app needs the new secret to go on: ' +
        `open the page and give it to your app. The request came from the network address ${address}; ` +
        'tell whoever runs this service if it happens again.',
    ],
  }),

  invitation: ({ workspace_name, inviter_name, role }) => ({
    subject: `${neutralizeName(inviter_name)} invites you to ${neutralizeName(workspace_name)}`,
    greeting: 'Hello,',
    opening: [
      `${neutralizeName(inviter_name)} would like you to join the workspace ` +
        `“${neutralizeName(workspace_name)}” in Sales CRM, as ${ROLES[role]}.`,
    ],
    button: 'See the invitation',
    closing: [
      'The link works once, within seven days.',
      'Don’t you know them? Then do nothing: you join only if you accept.',
    ],
  }),

  password_reset: ({ name, address }) => ({
    subject: 'Choose a new password',
    greeting: `Hello ${neutralizeName(name)},`,
    opening: ['Someone asked for a new password for your account in Sales CRM. Choose it here:'],
    button: 'Choose a new password',
    closing: [
      'The link works once, within 30 minutes.',
      'Wasn’t it you? Then do nothing: your password stays as it is. ' +
        `The request came from the network address ${address}.`,
    ],
  }),

  password_changed: ({ name, address }) => ({
    subject: 'Your password was changed',
    greeting: `Hello ${neutralizeName(name)},`,
    opening: [
      `The password of your account in Sales CRM was changed, from the network address ${address}.`,
      'If it was you, there is nothing to do.',
    ],
    closing: [
      'Wasn’t it you? Then reset your password right now, with “Forgot your password?” on the sign-in ' +
        'page: this also signs out everybody who uses your account. And tell whoever runs this service.',
    ],
  }),

  sign_in_attempts: ({ name, address }) => ({
    subject: 'Failed attempts to sign in to your account',
    greeting: `Hello ${neutralizeName(name)},`,
    opening: [
      'Ten attempts to sign in to your account in Sales CRM failed within a day, the last one from the ' +
        `network address ${address}.`,
      'From now on, attempts from places where you never signed in have to wait longer and longer.',
    ],
    closing: [
      'Was it you? Choose a new password with “Forgot your password?” on the sign-in page.',
      'Wasn’t it you? Nobody has got in. If you use your password anywhere else, change it.',
    ],
  }),

  notice: ({ notice, actor_name, title }) => ({
    subject: NOTICES[notice](neutralizeName(title), nameOf(actor_name)),
    greeting: 'Hello,',
    opening: [`${NOTICES[notice](`“${neutralizeName(title)}”`, nameOf(actor_name))}.`],
    button: 'Open it',
    closing: [SETTINGS_NOTE],
  }),

  tasks_of_day: ({ workspace_name, due, overdue, others }) => ({
    subject: `Your tasks for today in ${neutralizeName(workspace_name)}`,
    greeting: 'Hello,',
    opening: [
      ...(due.length > 0 ? ['Due today:', ...due.map(toLine)] : []),
      ...(overdue.length > 0 ? ['Overdue:', ...overdue.map(toLine)] : []),
      ...(others > 0 ? [`And ${others} more.`] : []),
    ],
    button: 'See your tasks',
    closing: [SETTINGS_NOTE],
  }),
}
