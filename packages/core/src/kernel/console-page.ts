/**
 * The address of a page of the console. Tasks and notes have no page of their own: those of a task are on the page of all,
 * and a note without a record is reached from the first page.
 * @param issuer without a trailing slash
 */
export function consolePage(
  issuer: string,
  { slug }: { readonly slug: string },
  entity: 'people' | 'companies' | 'deals' | 'tasks' | 'activities',
  id = '',
): string {
  const base = `${issuer}/w/${slug}/`
  if (entity === 'activities') return base
  return entity === 'tasks' ? `${base}tasks` : `${base}${entity}/${id}`
}
