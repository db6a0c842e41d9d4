/** The name of a file that is saved today. */
export function exportName(title: string): string {
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  return `${title.toLowerCase()}-${day}.csv`
}
