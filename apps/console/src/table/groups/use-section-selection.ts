import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { showError } from '../../ui/toasts.tsx'
import type { Selection } from '../use-selection.ts'

interface SectionSelectionOptions<Row> {
  readonly readSection: (section: number) => Promise<readonly Row[]>
  readonly selection: Selection<Row>
}

/** Selects all rows of a group, whether or not they are drawn. */
export function useSectionSelection<Row extends { readonly id: string }>(
  options: SectionSelectionOptions<Row>,
): (section: number, isSelected: boolean) => Promise<void> {
  const { readSection, selection } = options
  const { texts } = useConsole()
  return async (section, isSelected) => {
    try {
      selection.set(await readSection(section), isSelected)
    } catch (error) {
      showError(`${texts.errors.loading} ${explainError(error, texts)}`)
    }
  }
}

/** @param rows of the group that are read */
export function isSectionSelected<Row extends { readonly id: string }>(
  rows: readonly Row[],
  count: number,
  selection: Selection<Row>,
): boolean {
  return rows.length === count && rows.every(({ id }) => selection.has(id))
}
