import {
  API,
  type Checker,
  ModifierFlags,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync'
import { type Description, readTypeDescriptions } from './type-descriptions.ts'

/** The flag of a property that a mapped type makes readonly. */
const MAPPED_READONLY = 8
const DESCRIPTIONS = readTypeDescriptions()

/**
 * Prints the types that a module exports with nothing but each other, so that they can be published without the
 * packages they are derived from. Descriptions are those of the OpenAPI document.
 * @param tsconfig of the project that `file` is part of
 */
export function printTypes(file: string, tsconfig: string): string {
  const api = new API()
  try {
    const project = api.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig)!
    return new TypePrinter(project, file).print()
  } finally {
    api.close()
  }
}

class TypePrinter {
  readonly #project: Project
  readonly #checker: Checker
  readonly #types: readonly (readonly [string, Type])[]
  /** By the id of the type; the first of several names. */
  readonly #names: ReadonlyMap<number, string>

  constructor(project: Project, file: string) {
    this.#project = project
    this.#checker = project.checker
    const module = this.#checker.getSymbolAtLocation(project.program.getSourceFile(file)!)!
    this.#types = this.#checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, this.#typeOf(symbol)])
    this.#names = new Map(this.#types.map(([name, { id }]) => [id, name] as const).reverse())
  }

  print(): string {
    return this.#types.map(([name, type]) => this.#printDeclaration(name, type)).join('\n')
  }

  #typeOf(symbol: TypeSymbol): Type {
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
    return this.#checker.getDeclaredTypeOfSymbol(isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol)
  }

  #printDeclaration(name: string, type: Type): string {
    const isFirstName = this.#names.get(type.id) === name
    const text = isFirstName ? this.#printStructure(type, name) : this.#printType(type)
    const start = text.startsWith('{') && !type.isUnionType() ? `interface ${name}` : `type ${name} =`
    return `${printComment(DESCRIPTIONS[name]?.description)}export ${start} ${text}\n`
  }

  #printType(type: Type): string {
    return this.#names.get(type.id) ?? this.#printStructure(type)
  }

  /** @param name of an exported type */
  #printStructure(type: Type, name?: string): string {
    if (type.isUnionType()) return this.#printUnion(type.getTypes(), name)
    const isTemplate = (type.flags & TypeFlags.TemplateLiteral) !== 0
    if (isTemplate || type.isLiteralType() || type.isIntrinsicType()) return this.#checker.typeToString(type)
    if (this.#checker.isArrayType(type)) {
      const item = this.#printType(this.#checker.getTypeArguments(type as never)[0]!)
      return `readonly ${item.includes(' | ') ? `(${item})` : item}[]`
    }
    const properties = this.#checker.getPropertiesOfType(type)
    const [index] = this.#checker.getIndexInfosOfType(type)
    if (properties.length === 0 && index)
      return `Readonly<Record<string, ${this.#printType(index.valueType)}>>`
    if (!type.isObjectType() && !type.isIntersectionType())
      throw new Error(`The type ${this.#checker.typeToString(type)} cannot be published.`)
    const lines = properties.map((property) =>
      this.#printProperty(property, DESCRIPTIONS[name ?? '']?.properties),
    )
    return `{\n${lines.join('\n')}`.replaceAll('\n', '\n  ').concat('\n}')
  }

  /** Prints members that together are an exported union by its name. */
  #printUnion(members: readonly Type[], name?: string): string {
    const rest = new Map(members.map((member) => [member.id, member]))
    const texts: string[] = []
    for (const [union, type] of this.#types) {
      const ids = type.isUnionType() ? type.getTypes().map(({ id }) => id) : []
      if (union === name || ids.length === 0 || !ids.every((id) => rest.has(id))) continue
      texts.push(union)
      for (const id of ids) rest.delete(id)
    }
    const flags = [...rest.values()].filter((member) => member.flags & TypeFlags.BooleanLiteral)
    if (flags.length === 2) for (const { id } of flags) rest.delete(id)
    for (const member of rest.values())
      if ((member.flags & TypeFlags.Nullable) === 0) texts.push(this.#printType(member))
    if (flags.length === 2) texts.push('boolean')
    if (members.some((member) => member.flags & TypeFlags.Null)) texts.push('null')
    return texts.join(' | ')
  }

  #printProperty(property: TypeSymbol, described: Description['properties'] = {}): string {
    const comment =
      described[property.name]?.description ?? this.#checker.getDocumentationCommentOfSymbol(property)
    const modifier = this.#isReadonly(property) ? 'readonly ' : ''
    const mark = property.flags & SymbolFlags.Optional ? '?' : ''
    const type = this.#printType(this.#checker.getTypeOfSymbol(property)!)
    return `${printComment(comment)}${modifier}${property.name}${mark}: ${type}`
  }

  #isReadonly({ checkFlags, declarations }: TypeSymbol): boolean {
    const node = declarations[0]?.resolve(this.#project) as { readonly modifierFlags?: number } | undefined
    return (checkFlags & MAPPED_READONLY) !== 0 || ((node?.modifierFlags ?? 0) & ModifierFlags.Readonly) !== 0
  }
}

function printComment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('\n', '\n * ')} */\n` : ''
}
