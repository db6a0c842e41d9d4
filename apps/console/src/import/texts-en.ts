import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const numbers = new Intl.NumberFormat('en')

export const en = {
  title: { people: 'Import people', companies: 'Import companies' },
  steps: 'Steps',
  step: { file: 'File', columns: 'Columns', review: 'Review', run: 'Done' },
  leave: 'Save and leave',
  forbidden: 'Your role may not create these records.',
  file: {
    title: 'Choose a file',
    lead: 'A table as CSV, with the names of its columns in the first row. Excel, Google Sheets and other CRMs save one.',
    choose: 'Choose a file',
    drop: 'or drop it here',
    paste: 'or paste rows that you copied from a spreadsheet',
    usePasted: 'Go on with these rows',
    pastedName: 'Copied rows',
    limits: 'Up to 10,000 rows and 20 MB. Nothing is brought in before you have seen it.',
    goOn: (name: string) => `Go on with ${name}`,
    goOnText: (done: number, total: number) =>
      done === 0
        ? `${plural(total, '# row waits', '# rows wait')} where you left.`
        : `${numbers.format(done)} of ${plural(total, '# row is', '# rows are')} brought in.`,
    discard: 'Discard it',
    errors: {
      empty: 'The file is empty.',
      onlyHeads: 'The file has the names of columns, but no rows below them.',
      tooManyRows: 'The file has more than 10,000 rows. Split it.',
      tooLarge: 'The file is larger than 20 MB. Split it.',
      unreadable: 'This is not a text file. Save the table as CSV.',
    },
    tooManyCells: (row: number) =>
      `Row ${numbers.format(row)} has more cells than there are columns. Its text may hold a separator without quotes.`,
    openQuote: (row: number) => `In row ${numbers.format(row)} a quotation mark is not closed.`,
    notStored: 'The browser does not keep the file. It is gone when you leave the page.',
  },
  columns: {
    size: (rows: number, columns: number) =>
      `${plural(rows, '# row', '# rows')}, ${plural(columns, '# column', '# columns')}`,
    separatedBy: (encoding: string | undefined, separator: string) =>
      [encoding, `separated by ${separator}`].filter(Boolean).join(', '),
    separators: { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as Readonly<
      Record<string, string>
    >,
    matched: (matched: number, all: number) =>
      `${numbers.format(matched)} of ${plural(all, '# column was', '# columns were')} matched by their names. Compare the samples, then go on.`,
    table: 'Columns',
    head: 'In the file',
    samples: 'Samples',
    becomes: 'Becomes',
    becomesOf: (head: string) => `${head} becomes`,
    result: 'Result',
    noHead: (column: number) => `Column ${column}`,
    empty: '(empty)',
    notBroughtIn: 'Not brought in',
    notBroughtInResult: 'not brought in',
    takenBy: (label: string, head: string) => `${label} (${head})`,
    ofAll: (count: number, all: number) => `${numbers.format(count)} of ${numbers.format(all)}`,
    found: (found: number, created: number) =>
      `${numbers.format(found)} found, ${numbers.format(created)} new`,
    looking: 'Looking…',
    lookingFor: (done: number, total: number) =>
      total === 0
        ? 'Looking for what is there already…'
        : `Looking for what is there already: ${numbers.format(done)} of ${numbers.format(total)}…`,
    required: (labels: string) => `A new record must have a value here, and no column has it: ${labels}.`,
    update: {
      people: 'Update people who are there already, found by e-mail',
      companies: 'Update companies that are there already, found by name',
    },
    noName: 'Choose the column that has the names.',
    ready: (ready: number, leftOut: number) =>
      leftOut === 0
        ? `${plural(ready, '# row is ready.', 'All # rows are ready.')}`
        : `${plural(ready, '# row is ready', '# rows are ready')}, ${plural(leftOut, '# is not.', '# are not.')}`,
    next: (rows: number) => plural(rows, 'Review # row', 'Review # rows'),
  },
  targets: {
    fullName: 'Full name',
    firstName: 'First name',
    middleName: 'Middle name',
    lastName: 'Last name',
    position: 'Position',
    website: 'Website',
    company: 'Company, by name',
    owner: 'Owner (e-mail or name)',
    tags: 'Tags, by name',
    note: 'Note on the timeline',
    email: 'E-mail',
    phone: 'Phone',
    emailTypes: { work: 'work', home: 'home', other: 'other' },
    phoneTypes: { mobile: 'mobile', work: 'work', home: 'home', other: 'other' },
  },
  targetGroups: { own: 'Fields', custom: 'Custom fields' },
  shortTargets: { company: 'Company', owner: 'Owner', tags: 'Tags', note: 'Note', name: 'Name' },
  problems: {
    title: (rows: number) => plural(rows, '# row needs you', '# rows need you'),
    none: 'Every row is ready.',
    noneText: 'Rows that cannot be brought in would be named here.',
    csv: 'CSV',
    csvLabel: 'Download the rows that are left out as CSV',
    csvName: 'left out',
    reason: 'Reason',
    errors: {
      noName: 'missing',
      notAnEmail: 'not an address',
      notANumber: 'not a number',
      notADate: 'not a date',
      noOption: 'no such option',
      noMember: 'no such member',
      noTag: 'no such tag',
    },
    results: {
      noName: (count: number) => plural(count, '# is missing', '# are missing'),
      notAnEmail: (count: number) => plural(count, '# is no address', '# are no address'),
      notANumber: (count: number) => plural(count, '# is no number', '# are no numbers'),
      notADate: (count: number) => plural(count, '# is no date', '# are no dates'),
      noOption: (count: number) => plural(count, '# unknown option', '# unknown options'),
      noMember: (count: number) => plural(count, '# unknown member', '# unknown members'),
      noTag: (count: number) => plural(count, '# unknown tag', '# unknown tags'),
    },
    wrong: (count: number) => plural(count, '# wrong', '# wrong'),
    texts: (texts: readonly string[], more: number) =>
      `${texts.map((each) => `“${each}”`).join(', ')}${more > 0 ? plural(more, ' and one more', ' and # more') : ''}`,
    rows: (rows: readonly number[], more: number) =>
      `${rows.length === 1 && more === 0 ? 'Row' : 'Rows'} ${rows.map((row) => numbers.format(row)).join(', ')}${
        more > 0 ? plural(more, ' and one more', ' and # more') : ''
      }`,
    showRows: 'Show rows',
    row: 'Row',
    leaveBlank: 'Leave blank',
    leaveBlankAndRetry: 'Leave blank and try again',
    chooseForAll: 'Choose for all…',
    addOption: (option: string) => `Add option “${option}”`,
    addTag: (tag: string) => `Create the tag “${tag}”`,
    hint: 'Rows that stay wrong are left out, and come back to you as a file with the reason beside each.',
  },
  review: {
    title: 'What will happen',
    created: {
      people: (count: number) => plural(count, 'person is new', 'people are new'),
      companies: (count: number) => plural(count, 'company is new', 'companies are new'),
    },
    updated: {
      people: (count: number) => plural(count, 'person is updated', 'people are updated'),
      companies: (count: number) => plural(count, 'company is updated', 'companies are updated'),
    },
    newCompanies: (count: number) => plural(count, 'company is created', 'companies are created'),
    leftOut: (count: number) => plural(count, 'row is left out', 'rows are left out'),
    updatedText: {
      people:
        'Found by e-mail. Only what the file has is changed; no part of a name, address, number or tag is lost.',
      companies: 'Found by name. Only what the file has is changed; no address, number or tag is lost.',
    },
    all: 'For all of them',
    list: 'Add to a list',
    noList: 'No list',
    tag: 'Add a tag',
    noTag: 'No tag',
    owner: { people: 'Owner of new people', companies: 'Owner of new companies' },
    preview: 'As they will be',
    previewText: (shown: number, all: number) =>
      shown === all
        ? plural(all, 'The only row', 'All # rows')
        : `The first ${shown} of ${numbers.format(all)} rows`,
    action: 'Action',
    isNew: 'New',
    isUpdate: 'Update',
    duration: (time: string) => `It takes ${time}. You can go on with your work meanwhile.`,
    start: (count: number) => plural(count, 'Bring # row in', 'Bring # rows in'),
    lookupFailed: 'It could not be found out who is there already.',
  },
  run: {
    running: 'Bringing the rows in',
    paused: 'Waiting for the connection',
    stopped: 'Stopped',
    done: 'Done',
    progress: 'Rows brought in',
    of: (done: number, total: number) => `${numbers.format(done)} of ${plural(total, '# row', '# rows')}`,
    pace: (perMinute: number) => `At most ${perMinute} a minute, so that the workspace stays quick.`,
    left: (time: string) => `${time} left`,
    stop: 'Stop',
    goOn: 'Go on',
    pausedText: 'The service cannot be reached. It goes on by itself.',
    runningText: 'You may use other pages meanwhile. Keep this tab open.',
    stoppedText: 'What has been brought in stays. Go on whenever you like: no row is brought in twice.',
    created: {
      people: (count: number) => plural(count, 'person created', 'people created'),
      companies: (count: number) => plural(count, 'company created', 'companies created'),
    },
    updated: {
      people: (count: number) => plural(count, 'person updated', 'people updated'),
      companies: (count: number) => plural(count, 'company updated', 'companies updated'),
    },
    newCompanies: (count: number) => plural(count, 'company created', 'companies created'),
    leftOut: (count: number) => plural(count, 'row left out', 'rows left out'),
    open: { people: 'Open the people', companies: 'Open the companies' },
    openList: (name: string) => `Open the list ${name}`,
    openTag: (name: string) => `Open the tag ${name}`,
    another: 'Import another file',
  },
  time: {
    moment: 'a moment',
    seconds: (count: number) => plural(count, 'about # second', 'about # seconds'),
    minutes: (count: number) => plural(count, 'about # minute', 'about # minutes'),
    hours: (count: number) => plural(count, 'about # hour', 'about # hours'),
  },
}

export type ImportTexts = typeof en
