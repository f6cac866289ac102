import type { Provider } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { googleProvider } from '@genmount/provider-google'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { klingProvider } from '@genmount/provider-kling'
import { openaiProvider } from '@genmount/provider-openai'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { expect, test } from 'vitest'

const token = 'key'
const caller = { model: 'gpt-5.6-luna' }
const [image, video] = [{ outputKind: 'image' }, { outputKind: 'video' }] as const

test.each<[string, (options: object) => Provider, string, string]>([
  [
    'gpt-image-1.5-2025-12-16',
    (more) => openaiProvider({ token, models: { m: { model: 'gpt-image-1.5-2025-12-16', ...more } } }),
    '2026-12-01',
    'gpt-image-2.6-flare',
  ],
  [
    'chatgpt-image-latest',
    (more) =>
      openaiResponsesProvider({ token, models: { m: { model: 'chatgpt-image-latest', caller, ...more } } }),
    '2026-12-01',
    'gpt-image-2.6-flare',
  ],
  [
    'gemini-2.5-flash-image',
    (more) => googleProvider({ token, models: { m: { model: 'gemini-2.5-flash-image', ...more } } }),
    '2026-10-02',
    'gemini-nano-banana-2.1',
  ],
  [
    'gemini-omni-flash-preview',
    (more) => geminiOmniProvider({ token, models: { m: { model: 'gemini-omni-flash-preview', ...more } } }),
    '2026-09-30',
    'gemini-omni-1.2-flash',
  ],
  [
    'seedance-1-5-pro-251215',
    (more) => arkProvider({ token, models: { m: { model: 'seedance-1-5-pro-251215', ...video, ...more } } }),
    '2026-11-11',
    'dreamina-seedance-2-0-mini-260615',
  ],
  [
    'grok-imagine-image-quality',
    (more) =>
      xaiProvider({ token, models: { m: { model: 'grok-imagine-image-quality', ...image, ...more } } }),
    '2026-11-02',
    'grok-imagine-image-2.0',
  ],
  [
    'kling-v1-6',
    (more) => klingProvider({ token, models: { m: { model: 'kling-v1-6', ...video, ...more } } }),
    '2026-09-15',
    'kling-v3',
  ],
  [
    'gen3a_turbo',
    (more) => runwayProvider({ token, models: { m: { model: 'gen3a_turbo', ...video, ...more } } }),
    '2026-07-30',
    'gen4.5',
  ],
])(
  '%s has the end that its vendor announced, unless the operator sets another or none',
  (_model, make, on, replacement) => {
    const endWith = (options: object) => make(options).models[0]?.end
    expect(endWith({})).toEqual({ on, replacement })
    expect(endWith({ end: { on: '2027-05-01' } })).toEqual({ on: '2027-05-01' })
    expect(endWith({ end: false })).toBeUndefined()
    expect(() => endWith({ end: { on: 'soon' } })).toThrow("models['m'].end.on must be a day")
  },
)

test('models without an announced end have none', () => {
  const models = { 'gpt-image-2': {}, toString: {} }
  expect(openaiProvider({ token, models }).models.map(({ end }) => end)).toEqual([undefined, undefined])
})
