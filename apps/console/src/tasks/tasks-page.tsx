export function TasksPage() {
  return <p>TasksPage</p>
}
