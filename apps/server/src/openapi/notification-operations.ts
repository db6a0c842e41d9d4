import { notFound, validationError } from '@sales-crm/core'
import {
  allNotificationsChanges,
  type FollowedKind,
  followingQuery,
  itemResponse,
  listResponse,
  nameOfKind,
  notificationChanges,
  notificationQuery,
  RESOURCES,
  readCountResponse,
  responseSchemas,
} from '@sales-crm/core/declarations'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS, UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { tagOfKind } from './operation-tags.ts'
import { EMPTY_BODY } from './webhook-operations.ts'

const tag = 'Notifications'
const { detail } = responseSchemas.notifications
const ID = {
  description: "The notification's id.",
  ...{ isId: true, example: '01a1fc31-2d18-7a44-8b0d-6f2c9e5a7b31' },
}

export const LIST_NOTIFICATIONS: Operation = {
  ...{ id: 'listNotifications', tag, summary: 'List notifications' },
  description:
    'What the member of the token was told within 90 days: reminders, mentions, changes of records that it follows. No scope is ' +
    'required; titles require the `:read` scope of their kind.',
  query: notificationQuery,
  success: {
    status: 200,
    description: 'A page of notifications, the latest first by default.',
    response: { name: 'NotificationPage', schema: listResponse(detail) },
  },
  errors: [INVALID_PAGING],
}

export const UPDATE_NOTIFICATION: Operation = {
  ...{ id: 'updateNotification', tag, summary: 'Mark a notification as read or unread', params: { id: ID } },
  description: 'Marks one of the member of the token. No scope is required.',
  body: { name: 'NotificationChanges', schema: notificationChanges, changes: true },
  success: {
    status: 200,
    description: 'The notification.',
    response: { name: 'NotificationResponse', schema: itemResponse(detail) },
  },
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ read: 'Must be true or false.' }),
    notFound('Notification'),
  ],
}

export const READ_ALL_NOTIFICATIONS: Operation = {
  ...{ id: 'readAllNotifications', tag, summary: 'Mark all notifications as read' },
  description: 'Marks those of the member of the token from before the call. No scope is required.',
  body: { name: 'AllNotificationsChanges', schema: allNotificationsChanges, changes: true },
  success: {
    status: 200,
    description: 'The number of those that were unread.',
    response: { name: 'ReadNotifications', schema: readCountResponse },
  },
  errors: [...BODY_ERRORS, NO_FIELDS, validationError({ read: 'Must be true.' })],
}

export const LIST_FOLLOWING: Operation = {
  ...{ id: 'listFollowing', tag, summary: 'List what the member follows' },
  description:
    'The people, companies, deals and tasks that the member of the token follows and sees, in this order, each by name. No scope ' +
    'is required; kinds whose `:read` scope the token lacks are left out.',
  query: followingQuery,
  success: {
    status: 200,
    description: 'A page of followed records.',
    response: { name: 'FollowingPage', schema: listResponse(responseSchemas.followed_records.item) },
  },
  errors: [INVALID_PAGING],
}

export function followOperation(kind: FollowedKind): Operation {
  const noun = RESOURCES[kind].label.toLowerCase()
  return {
    ...{ id: `follow${nameOfKind(kind)}`, tag: tagOfKind(kind), summary: `Follow a ${noun}` },
    description:
      `Notifies the member of the token of changes of the ${noun} by others, while it sees it. May be repeated; it is no change ` +
      `of the ${noun}. Whether the member follows it is shown with \`include=following\`.`,
    body: EMPTY_BODY,
    success: { status: 204, description: `The member follows the ${noun}.` },
    errors: [...BODY_ERRORS, UNKNOWN_PARAMETER, notFound(RESOURCES[kind].label)],
  }
}

export function unfollowOperation(kind: FollowedKind): Operation {
  const noun = RESOURCES[kind].label.toLowerCase()
  return {
    ...{ id: `unfollow${nameOfKind(kind)}`, tag: tagOfKind(kind), summary: `Stop following a ${noun}` },
    description: 'May be repeated.',
    success: { status: 204, description: `The member does not follow the ${noun}.` },
    errors: [UNKNOWN_PARAMETER, notFound(RESOURCES[kind].label)],
  }
}
