export function CompaniesPage() {
  return <p>CompaniesPage</p>
}
