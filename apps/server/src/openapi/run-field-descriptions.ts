/** Descriptions of the fields that say how far a background run is, as `RESPONSE_FIELD_DESCRIPTIONS` has them. */
export const RUN_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  reassignment: 'How far the records of a removed member are handed over; `null` if they are not.',
  'Reassignment.reassign_to': 'Member who takes over; `null` if that one was removed.',
  'Reassignment.total': 'Number of people, companies, deals and tasks; `null` until they are counted.',
  reassigned: 'Records that have the new owner.',
  refused: 'Records that a rule of the service refused. They keep their former owner.',
  ended_at: 'When it ended; `null` while it goes on.',
  time_zone_change:
    'How far whole days have moved with a new time zone; `null` if it did not change within a month.',
  'TimeZoneChange.time_zone': 'The new time zone.',
  'TimeZoneChange.total': 'Number of open tasks and deals with a date; `null` until they are counted.',
  visited: 'Tasks and deals that were looked at.',
  moved: 'Tasks and deals whose date moved, since it was a whole day.',
  'TimeZoneChange.refused': 'Records that a rule of the service refused. They keep their date.',
}
