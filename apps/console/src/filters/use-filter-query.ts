import { useSavedView, useViewParams } from '../app/use-view-params.ts'
import { formatFilter, parseFilter, withoutFields } from './filter.ts'

/** The filter of the address as lists take it: comparisons of fields that were deleted count for nothing. */
export function useFilterQuery(): string | undefined {
  const { params } = useViewParams()
  const missing = useSavedView()?.missing_fields ?? []
  return formatFilter(withoutFields(parseFilter(params.get('filter') ?? undefined), missing))
}
