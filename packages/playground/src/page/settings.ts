/** What the host has told the page. */
export interface Settings {
  /** Where the service is, in front of `/v1`, without a slash at its end. */
  readonly baseUrl: string
  /** A key that everybody may use. */
  readonly publicKey: string | undefined
  /** Whether the service may know visitors without a key. */
  readonly canStartWithoutKey: boolean
}

/** The options as `page-reply.ts` writes them into the page. */
interface Written {
  readonly mountPath: string
  readonly baseUrl: string
  readonly publicKey?: string
  readonly credentials: string
}

/** Reads what the host has written into the page. */
export function readSettings({ pathname, origin }: Location): Settings {
  const { content } = document.querySelector<HTMLMetaElement>('meta[name=playground]')!
  const { mountPath, baseUrl, publicKey, credentials } = JSON.parse(content) as Written
  const isPath = baseUrl === '' || baseUrl.startsWith('/')
  return {
    baseUrl: isPath ? origin + rootOf(pathname, mountPath) + baseUrl : baseUrl,
    publicKey,
    canStartWithoutKey: credentials === 'any',
  }
}

/**
 * The path of the app that has mounted the page. It is not empty behind a proxy that takes a prefix away before the app
 * sees the path.
 */
function rootOf(pathname: string, mountPath: string): string {
  const path = pathname.replace(/\/$/, '')
  return path.endsWith(mountPath) ? path.slice(0, path.length - mountPath.length) : ''
}
