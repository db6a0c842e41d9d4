import type { Import, ImportChanges } from '@sales-crm/client'

/**
 * The changes that make an import like an earlier one: its rules, and what its columns became, by their names. Columns
 * that the earlier file did not have are left out.
 */
export function carryOver(earlier: Import, next: Import): ImportChanges {
  const before = new Map(earlier.columns.map((column) => [column.name, column]))
  const { match, policy, policies, clear_empty, owner, tags, list, keep_history, events } = earlier
  const columns = next.columns.map((own, column) => {
    const { target, number_format, date_order, replace, if_invalid } = before.get(own.name) ?? {
      ...own,
      target: null,
    }
    return { column, target, number_format, date_order, replace, if_invalid }
  })
  const rules = { match, policy, policies, clear_empty, tags, list, keep_history, events }
  return { ...rules, owner_email: owner?.email ?? null, columns } as ImportChanges
}
