export function MyDayPage() {
  return <p>MyDayPage</p>
}
