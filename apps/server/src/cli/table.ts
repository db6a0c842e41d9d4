/** A line for each field, those of objects within under both names. */
export function formatTable(value: object): string {
  return formatColumns(tableRows(value, ''))
}

/** Rows in columns as wide as their widest cell. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
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
