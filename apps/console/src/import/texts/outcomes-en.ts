import { lowerFirst } from '../../texts/lower-first.ts'
import { createPlural } from '../../texts/plural.ts'

const plural = createPlural('en')
const numbers = new Intl.NumberFormat('en')
const rows = (count: number) => plural(count, '# row', '# rows')

/** The texts of what an import will do, does and has done. */
export const outcomesEn = {
  counts: {
    table: 'Counts',
    kind: 'Kind',
    created: 'new',
    updated: 'changed',
    unchanged: 'as they are',
    left_out: 'left out',
  },
  check: {
    title: 'What will happen',
    checking: (name: string) => `Checking ${name}`,
    checkingText: 'Nothing is written. You may leave the page meanwhile.',
    stop: 'Stop the check',
    problems: (count: number) => plural(count, '# row needs you', '# rows need you'),
    noProblems: 'Every row is fine.',
    problem: (column: string, rule: string) => (column === '' ? rule : `${column}: ${lowerFirst(rule)}`),
    shown: (shown: number, all: number) =>
      shown === all ? rows(all) : `${numbers.format(shown)} of ${rows(all)}`,
    cells: 'Rows with this problem',
    row: 'Row',
    value: 'In the file',
    leaveOut: 'Leave this column out',
    leftEmpty: 'left empty',
    mend: {
      title: 'What the cells shall be',
      becomes: (value: string) => `“${value}” becomes`,
      choose: 'Choose',
      empty: 'Leave empty',
      invite: 'Invite',
      inviteOne: (value: string) => `Invite ${value}`,
      more: 'These are fifty of the values. The next check shows the others.',
      blank: (column: string) => `Leave wrong cells of ${column} empty`,
      apply: (count: number) =>
        count === 0
          ? 'Check again'
          : plural(count, 'Apply # choice and check again', 'Apply # choices and check again'),
      applied: 'Other than in the file',
      pair: (from: string, to: string | null) =>
        to === null ? `“${from}” is left empty` : `“${from}” becomes ${to}`,
      others: (count: number) => plural(count, 'and # other', 'and # others'),
      isBlank: 'Wrong cells are left empty',
      takeBack: 'Take back',
      takeBackOf: (column: string) => `Take back the choices of ${column}`,
      statuses: { open: 'Open', win: 'Won', lost: 'Lost' },
      yes: 'Yes',
      no: 'No',
    },
    hint: 'You may go on as it is. What stays wrong is left out, the rest of its row goes in. It comes back as a file with the reason beside each.',
    examples: 'As they will be',
    exampleCount: (count: number) => plural(count, 'The first row', 'The first # rows'),
    actions: { created: 'new', updated: 'changed', unchanged: 'as it is', left_out: 'left out' },
    overQuota: (count: number) =>
      `The workspace has no room for ${plural(count, '# new record', '# new records')}. The import pauses when it is full.`,
    start: (count: number) => `Import ${rows(count)}`,
    whole: (whole: number, lost: number) =>
      lost === 0
        ? `All ${rows(whole)} are whole.`
        : `${plural(whole, '# row is', '# rows are')} whole, ${plural(lost, '# loses', '# lose')} something.`,
    undoDays: (days: number) => `Can be undone for ${plural(days, '# day', '# days')}.`,
    manyDeliveries: 'Many events',
    manyDeliveriesText:
      'Webhooks would get more than 100,000 events. With one event when it is done, they get one.',
    oneEvent: 'Send one event when it is done',
    confirmDeliveries: 'Import and send them all',
  },
  run: {
    running: (name: string) => `Importing ${name}`,
    waiting: (name: string) => `${name} waits`,
    after: (name: string) => `It begins after ${name}.`,
    paused: (name: string) => `${name} is paused`,
    pausedText: 'It waits until somebody goes on. What is in stays in.',
    begunBy: (name: string, at: string) => `Begun by ${name}, ${at}.`,
    progress: 'Rows done',
    rate: (rate: number) => `${numbers.format(rate)} rows a second`,
    left: (time: string) => `${time} left`,
    waitsAt: (row: number) => `waits at row ${numbers.format(row)}`,
    done: 'Rows done',
    of: (count: number) => `of ${numbers.format(count)}`,
    created: 'New',
    updated: 'Changed',
    leftOut: 'Rows not whole',
    pause: 'Pause',
    goOn: 'Go on',
    cancel: 'Cancel…',
    cancelTitle: 'Cancel this import?',
    cancelText: 'What is in stays in. The result lets you undo that. The other rows are not begun.',
    cancelNow: 'Cancel the import',
    hint: 'You may close this tab: it runs in the service, and goes on at the same row if the server restarts.',
  },
  result: {
    title: 'Result',
    done: (whole: number, all: number) =>
      `${numbers.format(whole)} of ${plural(all, '# row is', '# rows are')} in whole.`,
    lost: (count: number) => ` From ${numbers.format(count)} something was left out.`,
    cancelled: (done: number, all: number) =>
      `Cancelled after ${numbers.format(done)} of ${rows(all)}. What is in stays in.`,
    leftOut: 'Left out',
    leftOutText:
      'Mend the rows in the file, and send only them: what is in already is found again, and not made twice.',
    leftOutFile: 'Rows with reasons, CSV',
    leftOutName: 'left out',
    saved: (name: string) => `${name} was saved.`,
    undo: 'Undo this import',
    until: (day: string) => `Until ${day}.`,
    expired: 'The 30 days have run out: it can no longer be undone.',
    takesOut: (count: number) => `Takes out ${plural(count, 'the # record', 'the # records')} it made.`,
    putsBack: (count: number) =>
      `Puts back ${plural(count, 'the # record', 'the # records')} that it changed.`,
    changedStays: 'What somebody changed since stays, and is shown to you: you decide one by one.',
    undoNow: 'Undo import…',
    undoTitle: (name: string) => `Undo the import of ${name}?`,
    confirmUndo: 'Undo import',
    again: 'Import again',
    againText: 'Columns and rules are the same. Choose the file again, or another one.',
    mended: 'Send the mended file',
    undoing: (name: string) => `Undoing the import of ${name}`,
    undoneSoFar: (deleted: number, restored: number) =>
      `${numbers.format(deleted)} out, ${numbers.format(restored)} put back`,
    undone: (deleted: number, restored: number) =>
      restored === 0
        ? `Undone. ${plural(deleted, '# record is', '# records are')} out.`
        : `Undone. ${plural(deleted, '# record is', '# records are')} out, ${plural(restored, '# is as it was', '# are as they were')}.`,
    open: (kind: string) => `Open ${lowerFirst(kind)}`,
  },
  kept: {
    title: 'Stayed, until you decide',
    count: (count: number) => plural(count, '# stays', '# stay'),
    record: 'Record',
    why: 'Why',
    decide: 'Decide',
    deleted: 'Deleted since',
    made: 'Made by the import',
    changed: 'Changed by the import',
    reasons: {
      changed: 'Somebody has changed it',
      linked: 'Something was linked to it',
      forbidden: 'You may not change it',
    },
    keep: 'Keep',
    delete: 'Delete',
    putBack: 'Put back',
    keepAll: 'Keep all',
    revertAll: 'Undo all',
    hint: '“Put back” takes what others changed too: it is as it was before the import.',
    send: (keep: number, revert: number) => `Keep ${numbers.format(keep)}, undo ${numbers.format(revert)}`,
  },
  list: {
    lead: 'Files that came in, newest first. Each can be undone for 30 days.',
    table: 'Past imports',
    file: 'File',
    by: 'By, when',
    rows: 'Rows',
    state: 'State',
    undoUntil: 'Undo until',
    expired: 'has run out',
    formerMember: 'A former member',
    none: 'No file came in yet.',
    hint: 'Files are kept for 30 days. Members see their own imports, owners and admins all.',
    open: 'Open',
    openOne: (name: string) => `Open ${name}`,
    pauseOne: (name: string) => `Pause ${name}`,
    progress: (percent: number) => `${percent} %`,
    in: (count: number) => `${numbers.format(count)} in`,
    leftOut: (count: number) => `${rows(count)} not whole`,
    kept: (count: number) => `${numbers.format(count)} to decide`,
    at: (step: string) => `at ${step}`,
    states: {
      uploading: 'Waits for its file',
      reading: 'Is read',
      unreadable: 'Cannot be read',
      ready: 'Waits for you',
      checking: 'Is checked',
      checked: 'Waits for you',
      waiting: 'Waits its turn',
      running: 'Runs',
      paused: 'Paused',
      done: 'Done',
      cancelled: 'Cancelled',
      reverting: 'Is undone',
      reverted: 'Undone',
    },
  },
}

export type OutcomeTexts = typeof outcomesEn
