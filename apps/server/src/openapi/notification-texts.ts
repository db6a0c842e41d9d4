/** Descriptions of the fields of notifications and of the settings of members, as `RESPONSE_FIELD_DESCRIPTIONS` has them. */
export const NOTIFICATION_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'CalendarFeed.url': 'Address of the calendar.',
  'FollowedRecord.kind': 'Kind of the record.',
  'FollowedRecord.id': 'Id of the record.',
  'FollowedRecord.name': 'Name or title of the record.',
  'FollowedRecord.since': 'When the member began to follow it.',
  read: 'Number of notifications that were unread.',
  language: 'Language of mails to the member; `null` for that of the workspace.',
  reminder_time:
    'When the tasks of the day are mailed, such as `08:30`, in the time zone of the workspace; `null` for never.',
  notices: 'How the member learns of each kind of notification.',
  task_due: 'Tasks that are due, at the reminder time.',
  task_overdue: 'Overdue tasks, at the reminder time.',
  reminder: 'Reminders of tasks.',
  mention: 'Mentions in notes.',
  change: 'Changes of records that the member follows.',
  app: 'True if it is listed among the notifications. Default: `true`.',
  mail: 'True if it is mailed. Default: `false`.',
}

/** Descriptions of the fields of their input, as `REQUEST_FIELD_DESCRIPTIONS` has them. */
export const NOTIFICATION_INPUT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'NotificationChanges.read': '`true` to mark it as read, `false` as unread.',
  'AllNotificationsChanges.read': 'Always `true`.',
  'MeChanges.notices': 'How the member learns of kinds of notifications. Those that are left out stay.',
}

const [APP, BOTH] = [
  { app: true, mail: false },
  { app: true, mail: true },
]

/** What a member has chosen, as examples show it. */
export const NOTICES_EXAMPLE = {
  ...{ task_due: APP, task_overdue: APP, reminder: BOTH, mention: BOTH, change: APP },
}

/** Examples of schemas, by schema name. */
export const NOTIFICATION_EXAMPLES: Readonly<Record<string, object>> = {
  CalendarFeed: { url: 'https://crm.example/calendar/crm_cf_01a1fc31.ics' },
  FollowedRecord: {
    ...{ kind: 'deals', id: '01a1fc31-2893-73f4-b1ec-06392a46e760', name: 'Licenças anuais' },
    since: '2026-03-01T12:00:00.000Z',
  },
  NoticeSettings: NOTICES_EXAMPLE,
  NoticeChannels: APP,
  NotificationChanges: { read: true },
  AllNotificationsChanges: { read: true },
  ReadNotifications: { data: { read: 3 } },
  MeChanges: { reminder_time: '08:30', notices: { mention: { mail: true } } },
}
