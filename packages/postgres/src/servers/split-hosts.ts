/** Up to the hosts, with the user and the password; then the hosts. */
const AUTHORITY = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)/

/** One URL for each host of a URL: `postgres://user:password@a:5432,b:5432/database` has two. */
export function splitHosts(url: string): readonly [string, ...string[]] {
  const [authority = '', start = '', hosts = ''] = AUTHORITY.exec(url) ?? []
  const rest = url.slice(authority.length)
  const [first = '', ...others] = hosts.split(',')
  return [`${start}${first}${rest}`, ...others.map((host) => `${start}${host}${rest}`)]
}
