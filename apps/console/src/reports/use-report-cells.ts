import type { Currency } from '@sales-crm/client'
import { minorUnitDigits } from '@sales-crm/core/browser'
import { useConsole } from '../app/console-context.ts'
import { writeDecimal } from '../format/money.ts'
import type { ChartValue } from './charts/chart-data.ts'
import { chooseUnit, type UnitName } from './money-unit.ts'
import { MonthFormat } from './month-format.ts'
import type { ReportCell, ReportColumn } from './report-table.ts'

export interface MoneyScale {
  /** In which the short numbers are. */
  readonly unit: UnitName
  /** The smallest amount. */
  readonly minStep: number
  readonly formatTick: (value: number) => string
  readonly value: (amount: number) => ChartValue
}

/** Writes the values of the reports, in tables and on charts. */
export function useReportCells(currency: Currency) {
  const { texts, workspace, formatAmount, formatNumber } = useConsole()
  const digits = minorUnitDigits(currency)
  const percent = new Intl.NumberFormat(texts.language, { style: 'percent' })
  const formatMoney = (amount: number) => formatAmount({ amount, currency })
  return {
    formatMoney,
    formatNumber,
    /** Digits of the minor unit. */
    digits,
    /** @param share from 0 to 1 */
    formatShare: (share: number) => percent.format(share),
    months: new MonthFormat(texts.language),
    nameCell: (name: string): ReportCell => ({ text: name, csv: name, title: name }),
    /** @param href the page of what is counted */
    countCell: (count: number, href?: string): ReportCell => ({
      ...{ text: formatNumber(count), csv: count },
      ...(href !== undefined && count > 0 && { href }),
    }),
    moneyCell: (amount: number): ReportCell => ({
      text: formatMoney(amount),
      csv: writeDecimal(amount, digits),
    }),
    numberColumn: (label: string): ReportColumn => ({ label, isNumber: true }),
    moneyColumn: (label: string): ReportColumn => ({
      label,
      csvLabel: `${label} (${currency})`,
      isNumber: true,
    }),
    countValue: (count: number): ChartValue => ({
      size: count,
      text: formatNumber(count),
      short: formatNumber(count),
    }),
    /** Writes the amounts of a chart, in major units, up to the largest of `amounts`. */
    createMoneyScale: (amounts: readonly number[]): MoneyScale => {
      const unit = chooseUnit(Math.max(0, ...amounts) / 10 ** digits)
      const short = new Intl.NumberFormat(workspace.locale, { maximumSignificantDigits: 3 })
      const formatTick = (value: number) => short.format(value / unit.divisor)
      return {
        unit: unit.name,
        minStep: 10 ** -digits,
        formatTick,
        value: (amount) => {
          const size = amount / 10 ** digits
          return { size, text: formatMoney(amount), short: formatTick(size) }
        },
      }
    },
  }
}
