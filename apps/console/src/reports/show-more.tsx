import { useViewParams } from '../app/use-view-params.ts'
import { Button } from '../ui/button.tsx'
import type { ReportFilters } from './report-filters.ts'
import { useReportTexts } from './texts.ts'

/** Takes the filter of the owner away. */
export function ShowEverybody() {
  const texts = useReportTexts()
  const { set } = useViewParams()
  return (
    <p>
      <Button
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget)
          set({ owner: undefined })
        }}
      >
        {texts.showEverybody}
      </Button>
    </p>
  )
}

/** Shows the longest period, unless it is shown. */
export function ShowYear({ filters }: { readonly filters: ReportFilters }) {
  const texts = useReportTexts()
  const { set } = useViewParams()
  if (filters.periodName === '12-months') return null
  return (
    <p>
      <Button
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget)
          set({ period: '12-months' })
        }}
      >
        {texts.showYear}
      </Button>
    </p>
  )
}

/** The button goes away with what it changes. */
function focusHeading(button: Element): void {
  button.closest('section')?.querySelector('h2')?.focus()
}
