/** Formats each field as a line. Fields of nested objects are labelled with both names. */
export function formatTable(value: object): string {
  return formatColumns(tableRows(value, ''))
}

export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function tableRows(value: object, prefix: string): string[][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const label = `${prefix}${name.replaceAll('_', ' ')}`
    if (Array.isArray(inner)) return [[label, inner.join(', ')]]
    return typeof inner === 'object' && inner !== null
      ? tableRows(inner, `${label} `)
      : [[label, String(inner)]]
  })
}
