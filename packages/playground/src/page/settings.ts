/** The settings that the host has written into the page. */
export interface Settings {
  /** The address of the service in front of `/v1`, without a slash at its end. */
  readonly baseUrl: string
  /** A key that everybody may use. */
  readonly publicKey: string | undefined
  /** Whether the service may recognise visitors without a key, for example by a cookie. */
  readonly canStartWithoutKey: boolean
  /** Whether the service knows facts of outputs. */
  readonly hasOutputFacts: boolean
}

/** The options as `page-reply.ts` writes them into the page. */
interface Written {
  readonly mountPath: string
  readonly baseUrl: string
  readonly publicKey?: string
  readonly credentials: string
  readonly outputFacts: boolean
}

/** Reads the settings that the host has written into the page. */
export function readSettings({ pathname, origin }: Location): Settings {
  const { content } = document.querySelector<HTMLMetaElement>('meta[name=playground]')!
  const { mountPath, baseUrl, publicKey, credentials, outputFacts } = JSON.parse(content) as Written
  const isPath = baseUrl === '' || baseUrl.startsWith('/')
  return {
    baseUrl: isPath ? origin + rootOf(pathname, mountPath) + baseUrl : baseUrl,
    publicKey,
    canStartWithoutKey: credentials === 'any',
    hasOutputFacts: outputFacts,
  }
}

/**
 * The public path of the app that has mounted the page. It is not empty behind a proxy that removes a prefix from the
 * path before the app sees it.
 */
function rootOf(pathname: string, mountPath: string): string {
  const path = pathname.replace(/\/$/, '')
  return path.endsWith(mountPath) ? path.slice(0, path.length - mountPath.length) : ''
}
