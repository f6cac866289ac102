import { fakeA1111, login } from '../a1111/fake-a1111.ts'
import { arkFake, token as arkKey } from '../ark/ark-fake.ts'
import { bflKey, startBfl } from '../bfl/bfl-fake.ts'
import { falKey, startFal } from '../fal/fal-fake.ts'
import { googleFake, token as googleKey } from '../google/google-fake.ts'
import { startReplicate } from '../replicate/fake-replicate.ts'
import { runwayKey, startRunway } from '../runway/runway-fake.ts'
import { token as xaiKey, xaiFake } from '../xai/xai-fake.ts'

/** A fake of a vendor in this process, to which another process talks. */
export interface KilledVendor {
  readonly origin: string
  /** The key, or the login. */
  readonly token: string
  /** The tasks that the vendor is paid for. */
  readonly ledger: readonly unknown[]
  close(): Promise<void>
}

/** The fakes, by the names of `vendorCases`. `killed-providers.ts` has the provider of each. */
export const killedVendors: Readonly<Record<string, () => Promise<KilledVendor>>> = {
  replicate: async () => {
    const { baseUrl, ...fake } = await startReplicate()
    return { ...fake, origin: new URL(baseUrl).origin }
  },
  fal: async () => {
    const fake = await startFal()
    return { ...fake, origin: fake.origin(), token: falKey }
  },
  bfl: async () => {
    const fake = await startBfl()
    return { ...fake, origin: fake.server.origin, token: bflKey }
  },
  runway: async () => ({ ...(await startRunway()), token: runwayKey }),
  'google omni': async () => ({ ...(await googleFake()), token: googleKey }),
  'ark film': async () => ({ ...(await arkFake()), token: arkKey }),
  'xai film': async () => ({ ...(await xaiFake()), token: xaiKey }),
  a1111: async () => ({ ...(await fakeA1111()), token: login }),
}
