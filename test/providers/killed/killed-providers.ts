import type { Provider } from '@genmount/core'
import { a1111Provider } from '@genmount/provider-a1111'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-gemini-omni'
import { replicateProvider } from '@genmount/provider-replicate'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'

const film = { outputKind: 'video', typicalMs: 1 } as const
const picture = { outputKind: 'image', typicalMs: 1 } as const

/** The provider of each vendor, whose fake is at `origin`. Its only model is `made`. */
export const killedProviders: Readonly<Record<string, (origin: string, token: string) => Provider>> = {
  replicate: (origin, token) =>
    replicateProvider({
      token,
      baseUrl: `${origin}/v1`,
      models: { made: { ...picture, model: 'acme/painter' } },
    }),
  fal: (origin, token) =>
    falProvider({
      token,
      models: { made: { ...picture, endpoint: 'fal-ai/flux/schnell' } },
      // The fake of fal distinguishes requests by the names of fal's hosts.
      fetch(input, init) {
        const { pathname, search, host } = new URL(input instanceof Request ? input.url : input)
        const headers = new Headers(init?.headers)
        headers.set('x-asked-host', host)
        return fetch(origin + pathname + search, { ...init, headers })
      },
    }),
  bfl: (origin, token) =>
    bflProvider({ token, baseUrl: `${origin}/v1`, models: { made: { ...picture, endpoint: 'flux-2-pro' } } }),
  runway: (origin, token) =>
    runwayProvider({ token, baseUrl: `${origin}/v1`, models: { made: { ...film, model: 'gen4.5' } } }),
  'google omni': (origin, token) =>
    geminiOmniProvider({
      token,
      baseUrl: `${origin}/v1beta`,
      models: { made: { model: 'gemini-omni-1.2-flash', typicalMs: 1 } },
    }),
  'ark film': (origin, token) =>
    arkProvider({
      token,
      baseUrl: `${origin}/api/v3`,
      models: { made: { ...film, model: 'seedance-1-5-pro-251215' } },
    }),
  'xai film': (origin, token) =>
    xaiProvider({
      token,
      baseUrl: `${origin}/v1`,
      models: { made: { ...film, model: 'grok-imagine-video' } },
    }),
  a1111: (origin, login) => a1111Provider({ login, baseUrl: origin, models: { made: {} } }),
}
