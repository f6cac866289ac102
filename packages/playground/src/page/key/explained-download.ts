import { type AnyModels, type Client, GenmountError, type Job } from '@genmount/client'

/**
 * `download` of a client, which explains at once why a page can't read the outputs behind a proxy that changes the header
 * `Host`: the service then names an address of its own, which is not the one of the page.
 * @param hasty the same client without retries, which would not help
 * @param baseUrl the address of the service, as the page uses it
 */
export function explainedDownload(
  client: Client<AnyModels>,
  hasty: Client<AnyModels>,
  baseUrl: string,
): Client<AnyModels>['download'] {
  const here = new URL(baseUrl).origin
  return async (job, n, options) => {
    const address = typeof job === 'object' ? (job as Partial<Job>).urls?.get : undefined
    const there = address === undefined ? here : new URL(address).origin
    if (there === here) return client.download(job, n, options)
    try {
      return await hasty.download(job, n, options)
    } catch (error) {
      if (!(error instanceof GenmountError) || error.code !== 'network_error') throw error
      throw new GenmountError(
        'output_elsewhere',
        `The service takes ${there} for its own address, and this page reads it at ${here}. Set the option baseUrl of the service, or let the proxy between them keep the header Host (in Vite: changeOrigin: false).`,
        { cause: error },
      )
    }
  }
}
