import type { Scene } from '../render/frame.ts'
import { abstractPalette } from './abstract-palette.ts'
import { geometry } from './geometry.ts'
import { landscape } from './landscape.ts'
import { type Streams, streamsOf } from './random.ts'
import { ribbons } from './ribbons.ts'
import { silk } from './silk.ts'
import { softLights } from './soft-lights.ts'
import { space } from './space.ts'
import { readTheme, type Theme } from './theme.ts'
import { underwater } from './underwater.ts'
import type { View } from './view.ts'

export interface SceneBrief {
  readonly prompt: string
  /** Different texts make different scenes for the same prompt. */
  readonly variation: string
  readonly view: View
}

/** Composes the scene that the words of the prompt describe. Equal briefs give equal scenes. */
export function composeScene({ prompt, variation, view }: SceneBrief): Scene {
  const stream = streamsOf(prompt, variation)
  return softLights(sceneOf(view, readTheme(prompt, stream('theme')), stream))
}

function sceneOf(view: View, theme: Theme, stream: Streams): Scene {
  switch (theme.ground) {
    case 'space':
      return space(view, theme, stream)
    case 'underwater':
      return underwater(view, theme, stream)
    case 'silk':
      return silk(view, abstractPalette(theme, stream('palette')), stream)
    case 'ribbons':
      return ribbons(view, abstractPalette(theme, stream('palette')), stream)
    case 'geometry':
      return geometry(view, abstractPalette(theme, stream('palette')), stream)
    default:
      return landscape(view, theme, stream)
  }
}
