import type { DecodedInput, Engine, Extension, PreparationContext } from './extension.ts'
import type { Input } from './patch.ts'

/** Decodes the files of an input, before it is validated. */
export async function decodeInput(
  extensions: readonly Extension<never>[],
  input: unknown,
  engine: Engine,
): Promise<DecodedInput> {
  const decoded: DecodedInput[] = []
  for (const extension of extensions) {
    if (extension.decode) decoded.push(await extension.decode(input, engine))
  }
  return {
    errors: Object.assign({}, ...decoded.map(({ errors }) => errors)),
    apply: (valid) => decoded.reduce((result, { apply }) => apply(result), valid),
  }
}

/** Converts valid input, before its transaction. */
export async function prepareInput(
  extensions: readonly Extension<never>[],
  input: Input,
  context: PreparationContext,
): Promise<Input> {
  let prepared = input
  for (const extension of extensions) prepared = (await extension.prepare?.(prepared, context)) ?? prepared
  return prepared
}
