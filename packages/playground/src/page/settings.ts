import { writtenSettings } from '@genmount/page-kit/page'

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

/** The options of the host, as `served-playground.ts` writes them into the page. */
interface Written {
  readonly publicKey?: string
  readonly credentials: string
  readonly outputFacts: boolean
}

/** Reads the settings that the host has written into the page. */
export function readSettings(place: Location): Settings {
  const { baseUrl, publicKey, credentials, outputFacts } = writtenSettings<Written>(place)
  return { baseUrl, publicKey, canStartWithoutKey: credentials === 'any', hasOutputFacts: outputFacts }
}
