import { a1111Provider } from '@genmount/provider-a1111'
import { type VendorCase, vendorCase } from '../vendor-case.ts'
import { fakeA1111, login } from './fake-a1111.ts'

/** Pictures of a server with AUTOMATIC1111's API. */
export const a1111Cases: Readonly<Record<string, VendorCase>> = {
  a1111: vendorCase({
    secrets: [login.split(':')[1]!, btoa(login)],
    fake: () => fakeA1111(),
    provider: ({ origin, fetch }) =>
      a1111Provider({ login, baseUrl: origin, models: { it: { price: 0.04 } }, fetch }),
    stepOf: () => 'submit',
    error: (detail) => ({ detail }),
    ended: (image) => ({
      step: 'submit',
      json: () => ({ images: image === undefined ? [] : [image], parameters: {}, info: '' }),
    }),
    isDurable: false,
    knowsNonsense: true,
  }),
}
