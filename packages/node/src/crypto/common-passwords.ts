let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Ignores case. The list is large and seldom used, so it is loaded on the first call. */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(password.normalize('NFKC').toLowerCase())
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
