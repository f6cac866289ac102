/**
 * Whether every parser finds the same path in the `url` of a request. Runtimes pass on URLs such as
 * `http://host/x/../mcp`, and make others of a Host header like `a?b`. A guard that the app has mounted on the path of the
 * endpoint may take these for another path.
 */
export function hasOnePath(url: string): boolean {
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return URL.parse(url)?.pathname === target.split('?', 1)[0]
}
