/** Whether an `Accept` header names `text/html`. Whoever takes anything at all is no browser. */
export function takesHtml(accept: string | undefined): boolean {
  return names(accept, 'text/html')
}

/** Whether an `Accept-Encoding` header names `gzip`. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return names(acceptEncoding, 'gzip')
}

function names(header: string | undefined, name: string): boolean {
  return (header ?? '').split(',').some((one) => {
    const [named, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return named === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
