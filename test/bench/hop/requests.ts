import type { Load } from '../http/load.ts'

/** The model for which all servers are asked. */
export const model = 'gpt-image-2'

/** The request for a picture that waits for it, with the headers by which a gateway finds the vendor. */
export function loadOf(url: string, vendorUrl: string): Load {
  const prompt = 'A red fox crosses a snowy clearing at dawn, low sun behind the pines.'
  return {
    url,
    paths: ['/v1/images/generations?wait=true'],
    body: JSON.stringify({ model, prompt }),
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${vendorUrl}/v1` },
    connections: 8,
  }
}
