import { a1111Provider } from '@genmount/provider-a1111'
import { foxInput as input, plainFetch, type VendorCase } from '../vendor-case.ts'
import { fakeA1111, login as a1111Login } from './fake-a1111.ts'

/** Pictures of a server with AUTOMATIC1111's API. */
export const a1111Cases: Readonly<Record<string, VendorCase>> = {
  a1111: {
    model: 'sdxl',
    input,
    async start() {
      const fake = await fakeA1111()
      return {
        secrets: [a1111Login.split(':')[1]!, btoa(a1111Login)],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          a1111Provider({
            login: a1111Login,
            baseUrl: fake.origin,
            models: { sdxl: { price: 0.04 } },
            fetch,
          }),
        close: fake.close,
      }
    },
    stepOf: () => 'submit',
    error: (detail) => ({ detail }),
    ended: (image) => ({
      step: 'submit',
      json: () => ({ images: image === undefined ? [] : [image], parameters: {}, info: '' }),
    }),
    isDurable: false,
    knowsNonsense: true,
  },
}
