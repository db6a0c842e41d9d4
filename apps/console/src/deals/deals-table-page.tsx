export function DealsTablePage() {
  return <p>DealsTablePage</p>
}
