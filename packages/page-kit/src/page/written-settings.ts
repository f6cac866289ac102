/** What every host writes into a page, see `page-reply.ts`. */
interface Written {
  readonly mountPath: string
  readonly baseUrl: string
}

/**
 * Reads the settings that the host has written into the page. `baseUrl` becomes the whole address of the service in front of
 * `/v1`, without a slash at its end.
 */
export function writtenSettings<Settings extends object>({
  pathname,
  origin,
}: Location): Settings & Pick<Written, 'baseUrl'> {
  const { content } = document.querySelector<HTMLMetaElement>('meta[name=settings]')!
  const written = JSON.parse(content) as Settings & Written
  const { baseUrl, mountPath } = written
  const isPath = baseUrl === '' || baseUrl.startsWith('/')
  return { ...written, baseUrl: isPath ? origin + rootOf(pathname, mountPath) + baseUrl : baseUrl }
}

/**
 * The public path of the app that has mounted the page. It is not empty behind a proxy that removes a prefix from the
 * path before the app sees it.
 */
function rootOf(pathname: string, mountPath: string): string {
  const path = pathname.replace(/\/$/, '')
  return path.endsWith(mountPath) ? path.slice(0, path.length - mountPath.length) : ''
}
