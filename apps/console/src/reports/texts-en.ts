import { createPlural } from '../texts/plural.ts'
import { isolate } from './join-names.ts'
import type { UnitName } from './money-unit.ts'
import type { PeriodName } from './period.ts'

const plural = createPlural('en')

const countDeals = (count: number) => plural(count, '# deal', '# deals')
const countActivities = (count: number) => plural(count, '# activity', '# activities')
const countTasks = (count: number) => plural(count, '# completed task', '# completed tasks')

export const en = {
  scope: {
    all: 'Counts every deal of the workspace. Members see only some of them.',
    owner: 'Counts the deals that you see: yours, nobody’s, and what is shared with you.',
    team: (teams: string) =>
      `Counts the deals that you see: yours, those of ${teams}, nobody’s, and what is shared with you.`,
  },
  lead: 'Each currency is reported by itself. Nothing is converted.',
  currency: 'Currency',
  period: 'Period',
  periods: {
    '6-months': 'Last 6 months',
    quarter: 'This quarter',
    year: 'This year',
    '12-months': 'Last 12 months',
  } as Readonly<Record<PeriodName, string>>,
  csv: 'CSV',
  copyCsv: (title: string) => `Copy ${title} as CSV`,
  copied: (title: string) => `${title} was copied as CSV.`,
  notCopied: (title: string) => `${title} was not copied: the browser does not allow it.`,
  allCurrencies: 'all currencies',
  partial: 'There are more groups than the service reports: the smallest are left out.',
  showEverybody: 'Show everybody',
  showYear: 'Show the last 12 months',
  none: '—',
  others: (count: number) => plural(count, '# other', '# others'),
  units: {
    ones: (currency) => currency,
    thousands: (currency) => `thousands of ${currency}`,
    millions: (currency) => `millions of ${currency}`,
    billions: (currency) => `billions of ${currency}`,
    trillions: (currency) => `trillions of ${currency}`,
  } as Readonly<Record<UnitName, (currency: string) => string>>,
  columns: {
    figure: 'Figure',
    value: 'Value',
    note: 'Note',
    stage: 'Stage',
    deals: 'Deals',
    amount: 'Amount',
    weighted: 'Weighted',
    month: 'Month',
    type: 'Type',
    total: 'Total',
    member: 'Member',
    activities: 'Activities',
    tasks: 'Completed tasks',
    deal: 'Deal',
    lastActivity: 'Last activity',
    quiet: 'Quiet',
    quietDays: 'Quiet (days)',
  },
  figures: {
    title: 'Figures',
    open: 'Open',
    openNote: (count: number) => countDeals(count),
    openNoteIn: (count: number, currency: string) => `${countDeals(count)} in ${currency}`,
    weighted: 'Weighted forecast',
    weightedNote: 'amount × probability of the stage',
    winRate: 'Win rate',
    winRateNote: (won: string, lost: string) => `${won} won, ${lost} lost`,
    noneClosed: 'No deal was closed in this period',
    median: 'Days to win, median',
    medianBefore: (days: string, range: string) => `was ${days} (${range})`,
    noneWonBefore: (range: string) => `none won before (${range})`,
    noneWon: 'No deal was won in this period',
  },
  stages: {
    title: 'Stages',
    finding: (stage: string, count: string, all: string, amount: string) =>
      `${isolate(stage)} holds the most open deals: ${count} of ${all}, with ${amount}.`,
    findingOneStage: (stage: string, amount: string) =>
      `All open deals are in ${isolate(stage)}, with ${amount}.`,
    findingTie: (stages: string, count: string, all: string) =>
      `${stages} hold the most open deals: ${count} each of ${all}.`,
    empty: (currency: string) => `No open deals in ${currency} in this pipeline.`,
    add: 'Add a deal',
  },
  won: {
    title: 'Won',
    finding: (amount: string, count: number, month: string, most: string) =>
      `${amount} was won with ${countDeals(count)}; ${month} had the most, ${most}.`,
    findingOneMonth: (amount: string, count: number, month: string) =>
      `${amount} was won with ${countDeals(count)}, all in ${month}.`,
    empty: (currency: string) => `No deal in ${currency} was won in this period.`,
    note: (unit: string) => `By month of closing. The chart is in ${unit}.`,
  },
  funnel: {
    title: 'Funnel',
    entered: 'Entered',
    wentOn: 'Went on',
    share: 'Share',
    days: 'Days, median',
    lostHere: 'Lost here',
    stillHere: 'Still here',
    finding: (created: number, won: string) => `Of ${countDeals(created)} that came in, ${won} won.`,
    slowest: (stage: string, days: number) =>
      `${isolate(stage)} takes longest: ${plural(days, '# day', '# days')}, the median.`,
    empty: 'No deal was created in this period.',
    note: 'Deals that were created in the period, in all currencies, as they stand now. A won deal went through all stages.',
  },
  wonOwners: {
    title: 'Won by owner',
    owner: 'Owner',
    average: 'Average',
    finding: (name: string, amount: string, count: number) =>
      `${isolate(name)} won most: ${amount} with ${countDeals(count)}.`,
    note: (unit: string) => `By the owner of today. The chart is in ${unit}.`,
  },
  targets: {
    title: 'Target',
    month: 'Month of the target',
    owner: 'Owner',
    won: 'Won',
    forecast: 'Forecast',
    target: 'Target',
    difference: 'Over, short',
    all: 'All',
    noTarget: 'no target',
    finding: (won: string, forecast: string, share: string, target: string) =>
      `${won} won and ${forecast} in the weighted forecast make ${share} of ${target}.`,
    over: (names: string, count: number) =>
      plural(count, `${names} is over the target.`, `${names} are over theirs.`),
    findingNone: (currency: string, month: string) => `No target in ${currency} is set for ${month}.`,
    empty: (currency: string, month: string) =>
      `No target in ${currency} is set for ${month}, and nothing was won or is expected.`,
    note: 'In all pipelines, by the owner of today. The forecast is the amount × probability of the open deals that are expected by the end of the month.',
    set: 'Targets',
    dialog: 'Targets of members',
    dialogMonth: 'Month',
    hint: 'Enter goes to the next member. Empty is no target.',
    unsaved: 'Save before you choose another month or currency.',
    member: (name: string) => `Target of ${isolate(name)}`,
    asLastMonth: (month: string) => `As in ${month}`,
    noLastMonth: (month: string) => `No target of ${month} in this currency.`,
    saved: 'The targets were saved.',
  },
  lost: {
    title: 'Lost reasons',
    reason: 'Reason',
    stages: 'Lost from',
    none: 'No reason',
    noStage: 'Created as lost',
    finding: (reason: string, count: string, all: string) =>
      `${isolate(reason)} comes first: ${count} of ${all} lost deals.`,
    findingNone: (count: string, all: string) => `${count} of ${all} lost deals have no reason.`,
    empty: 'No deal was lost in this period.',
    note: (currency: string) => `Deals of all currencies are counted; amounts are those in ${currency}.`,
  },
  forecast: {
    title: 'Forecast',
    past: 'Past',
    later: 'Later',
    noDate: 'No date',
    finding: (amount: string, weighted: string, month: string) =>
      `${amount} is expected in ${month}, the most of these months; ${weighted} weighted.`,
    findingPast: (amount: string, count: number) =>
      `${amount} was expected before this month and is still open: ${countDeals(count)}.`,
    undated: 'No open deal has a forecast date in these months.',
    empty: (currency: string) => `No open deals in ${currency}, so nothing is forecast.`,
    note: (unit: string) =>
      `By forecast date. Weighted is the amount × probability of the stage. The chart is in ${unit}.`,
  },
  activity: {
    title: 'Activity',
    finding: (name: string, activities: number, tasks: number) =>
      `${isolate(name)} did the most: ${countActivities(activities)} and ${countTasks(tasks)}.`,
    findingOne: (name: string, activities: number, tasks: number) =>
      `${isolate(name)}: ${countActivities(activities)} and ${countTasks(tasks)}.`,
    findingTie: (names: string, count: number) =>
      `${names} did the most: ${plural(count, '# activity or completed task', '# activities and completed tasks')} each.`,
    findingNobody: (activities: number, tasks: number) =>
      `Nobody owns what was done: ${countActivities(activities)} and ${countTasks(tasks)}.`,
    empty: 'No activity was recorded and no task is completed in this period.',
    noOwner: 'No owner',
    note: 'In all pipelines. Activities count by their day, tasks by when they were completed.',
  },
  tasks: {
    title: 'Completed tasks',
    finding: (type: string, count: string, total: number) =>
      `${isolate(type)} comes first: ${count} of ${countTasks(total)}.`,
    empty: 'No task was completed in this period.',
    noType: 'No type',
    note: 'In all pipelines, by when they were completed. A task that was opened again is not counted.',
  },
  quiet: {
    title: 'Quiet deals',
    finding: (count: number, name: string, days: number) =>
      `${plural(count, '# open deal has', '# open deals have')} had no activity for 30 days; ${isolate(name)} the longest, ${plural(days, '# day', '# days')}.`,
    shown: (count: number) => `The ${count} that did not change for the longest time are shown.`,
    days: (days: string) => `${days} d`,
    empty: 'Every open deal had activity in the last 30 days.',
    note: 'In all currencies, as of now.',
  },
}

export type ReportTexts = typeof en
