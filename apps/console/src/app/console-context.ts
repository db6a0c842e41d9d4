import type { CrmClient, Me, Workspace } from '@sales-crm/client'
import type { Viewer } from '@sales-crm/core/browser'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Calendar } from '../format/calendar.ts'
import { DateFormat } from '../format/dates.ts'
import { type Amount, formatMoney } from '../format/money.ts'
import type { Download } from '../session/download.ts'
import type { Texts } from '../texts/en.ts'

/** The member whom the pages are for. */
export interface ConsoleMember extends Me {
  /** What bounds the records that the member sees; undefined if nothing does. */
  readonly viewer: Viewer | undefined
}

/** What every page needs: the API of the open workspace, and how its records are written. */
export interface Console {
  readonly crm: CrmClient
  readonly download: Download
  readonly me: ConsoleMember
  readonly workspace: Workspace
  readonly texts: Texts
  readonly calendar: Calendar
  readonly dates: DateFormat
  readonly formatAmount: (amount: Amount) => string
  readonly formatNumber: (value: number) => string
}

export function createConsole(
  { crm, download, me, workspace }: Pick<Console, 'crm' | 'download' | 'me' | 'workspace'>,
  texts: Texts,
): Console {
  const numbers = new Intl.NumberFormat(texts.language)
  const calendar = new Calendar(workspace.time_zone)
  return {
    crm,
    download,
    me,
    workspace,
    texts,
    calendar,
    dates: new DateFormat(texts.language, calendar),
    formatAmount: (amount) => formatMoney(amount, workspace.locale),
    formatNumber: (value) => numbers.format(value),
  }
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('useConsole needs a ConsoleContext.')
  return value
}

/** True for the members who may change what all of the workspace shares. */
export function isAdmin({ role }: Pick<Me, 'role'>): boolean {
  return role !== 'member'
}
