/** `/v1/people/{id}` */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function pathParameterNames(path: string): readonly string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)
}

/** `Person not found.` → `PersonNotFound` */
export function toPascalCase(text: string): string {
  return text.replaceAll(
    /[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g,
    (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  )
}
